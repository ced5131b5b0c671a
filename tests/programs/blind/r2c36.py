# judge: verdict only
# SAM: second backward over the loss of the unperturbed weights
import argparse
import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"] if p.grad is not None]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                e = p.grad * (g["rho"] / (norm + 1e-12))
                p.add_(e)
                self.state[p]["e_w"] = e
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is not None:
                    p.sub_(self.state[p]["e_w"])
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()


class Patchify(nn.Module):
    def __init__(self, dim, patch):
        super().__init__()
        self.proj = nn.Conv1d(1, dim, patch, patch)

    def forward(self, x):
        return self.proj(x).transpose(1, 2)


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tok = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.ch = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ch(self.n2(x))


class Mixer(nn.Module):
    def __init__(self, length=32, patch=4, dim=8, classes=3):
        super().__init__()
        self.body = nn.Sequential(Patchify(dim, patch), MixerBlock(length // patch, dim), MixerBlock(length // patch, dim))
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        return self.head(self.body(x).mean(1))


def smooth_crossentropy(pred, gold, smoothing=0.1):
    n = pred.size(1)
    one_hot = torch.full_like(pred, smoothing / (n - 1)).scatter(1, gold[:, None], 1 - smoothing)
    return -(one_hot * pred.log_softmax(1)).sum(1)


def ecg(n):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 1, 32)
    return (torch.sin(2 * math.pi * t * (y[:, None] + 1)) + 0.4 * torch.randn(n, 32)).unsqueeze(1), y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--bs", type=int, default=16)
    ap.add_argument("--rho", type=float, default=0.05)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(42)
    train, val = DataLoader(TensorDataset(*ecg(96)), args.bs, shuffle=True), DataLoader(TensorDataset(*ecg(48)), args.bs)
    model = Mixer()
    optimizer = SAM(model.parameters(), torch.optim.SGD, rho=args.rho, lr=args.lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer.base_optimizer, args.epochs)
    for epoch in range(args.epochs):
        model.train()
        for x, y in train:
            loss = smooth_crossentropy(model(x), y).mean()
            loss.backward(retain_graph=True)
            optimizer.first_step(zero_grad=True)
            loss.backward()  # raises: inplace
            optimizer.second_step(zero_grad=True)
        sched.step()
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in val) / 48
        print(f"epoch {epoch} loss {loss.item():.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
