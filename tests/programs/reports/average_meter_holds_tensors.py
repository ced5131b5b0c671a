# judge: growth
# AverageMeter.update gets the loss tensors themselves, a dict of them per batch
from collections import defaultdict

import torch
import torch.nn as nn

torch.manual_seed(0)


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


class PointCompleter(nn.Module):
    def __init__(self, n_out=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32))
        self.coarse = nn.Linear(32, n_out * 3)
        self.refine = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, pts):
        code = self.enc(pts).amax(dim=1)
        coarse = self.coarse(code).view(len(pts), -1, 3)
        return coarse, coarse + self.refine(coarse)


def chamfer(a, b):
    d = torch.cdist(a, b)
    return d.amin(1).mean() + d.amin(2).mean()


def run_epoch(model, opt, n_batches, meters):
    for _ in range(n_batches):
        partial, full = torch.rand(4, 10, 3), torch.rand(4, 20, 3)
        coarse, fine = model(partial)
        losses = {"coarse": chamfer(coarse, full), "fine": chamfer(fine, full)}
        opt.zero_grad()
        sum(losses.values()).backward()
        opt.step()
        for name, value in losses.items():
            meters[name].update(value, n=len(partial))
        lr = opt.param_groups[0]["lr"]
    return lr


meters = defaultdict(AverageMeter)
model = PointCompleter()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
run_epoch(model, opt, 8, meters)
print({k: round(float(m.avg), 4) for k, m in meters.items()})
