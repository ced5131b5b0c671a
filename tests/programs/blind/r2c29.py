# judge: verdict only
# co-distillation: peer logits cached per sample in the first epoch, reused in the second
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Indexed(Dataset):
    def __init__(self, n=64, dim=12, classes=3, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, dim, generator=g)
        self.y = self.x[:, :classes].argmax(1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


class Net(nn.Module):
    def __init__(self, dim, width, classes, depth):
        super().__init__()
        layers = [nn.Linear(dim, width), nn.ReLU()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.ReLU()]
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(width, classes)

    def forward(self, x):
        return self.classifier(self.features(x))


class SoftTargets:
    """Keeps one row of logits per training sample."""

    def __init__(self):
        self.rows = {}

    def put(self, idx, logits):
        for i, row in zip(idx.tolist(), logits):
            self.rows[i] = row

    def get(self, idx):
        return torch.stack([self.rows[i] for i in idx.tolist()])

    def ready(self, idx):
        return all(i in self.rows for i in idx.tolist())


def kd(student, target, T):
    return F.kl_div(F.log_softmax(student / T, 1), F.softmax(target / T, 1), reduction="batchmean") * T * T


class CoTrainer:
    def __init__(self, args):
        self.args = args
        self.student, self.peer = Net(12, 16, 3, 1), Net(12, 32, 3, 2)
        self.opt = torch.optim.SGD([*self.student.parameters(), *self.peer.parameters()], args.lr, momentum=0.9, nesterov=True)
        self.sched = torch.optim.lr_scheduler.MultiStepLR(self.opt, [2], 0.1)
        self.targets = SoftTargets()
        self.best = 0.0
        self.ckpt = os.path.join(tempfile.mkdtemp(), "best.pt")

    def epoch(self, loader, epoch):
        a = self.args
        for idx, x, y in loader:
            s, p = self.student(x), self.peer(x)
            loss = F.cross_entropy(s, y) + F.cross_entropy(p, y)
            if epoch >= a.warmup and self.targets.ready(idx):
                loss = loss + a.alpha * kd(s, self.targets.get(idx), a.T)
            self.opt.zero_grad()
            loss.backward()  # raises
            self.opt.step()
            if epoch % a.refresh == 0:
                self.targets.put(idx, p)
        self.sched.step()
        return loss.item()

    @torch.no_grad()
    def validate(self, loader):
        self.student.eval()
        acc = sum((self.student(x).argmax(1) == y).sum().item() for _, x, y in loader) / len(loader.dataset)
        self.student.train()
        if acc > self.best:
            self.best = acc
            torch.save({"student": self.student.state_dict(), "opt": self.opt.state_dict()}, self.ckpt)
        return acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--alpha", type=float, default=0.5)
    ap.add_argument("--T", type=float, default=4.0)
    ap.add_argument("--warmup", type=int, default=1)
    ap.add_argument("--refresh", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(0)
    train, val = DataLoader(Indexed(), 16, shuffle=True), DataLoader(Indexed(32, seed=1), 16)
    tr = CoTrainer(args)
    for e in range(args.epochs):
        loss = tr.epoch(train, e)
        print(f"epoch {e} loss {loss:.3f} acc {tr.validate(val):.3f} cached {len(tr.targets.rows)}")


if __name__ == "__main__":
    main()
