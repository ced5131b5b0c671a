# judge: verdict only
# activation penalty reads a hook's list that still holds the previous batch
import argparse
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

PENALTIES = {}


def penalty(name):
    def deco(fn):
        PENALTIES[name] = fn
        return fn
    return deco


@penalty("l1")
def l1(acts):
    return sum(a.abs().mean() for a in acts) / len(acts)


@penalty("hoyer")
def hoyer(acts):
    return sum(a.abs().sum() ** 2 / (a.pow(2).sum() + 1e-8) / a.numel() for a in acts) / len(acts)


class Recorder:
    def __init__(self, model, kinds=(nn.ReLU,)):
        self.store = {}
        self.handles = []
        for name, m in model.named_modules():
            if isinstance(m, kinds):
                self.store[name] = []
                self.handles.append(m.register_forward_hook(self._make(name)))
        self.enabled = True

    def _make(self, name):
        def hook(module, inp, out):
            if self.enabled:
                self.store[name].append(out)
        return hook

    def activations(self):
        return [torch.cat(v) for v in self.store.values() if v]

    def reset(self):
        for v in self.store.values():
            v.clear()

    @contextmanager
    def paused(self):
        self.enabled = False
        try:
            yield
        finally:
            self.enabled = True

    def close(self):
        for h in self.handles:
            h.remove()


def build(arch):
    widths = {"small": (16,), "deep": (32, 16)}[arch]
    mods, d = [nn.Flatten()], 36
    for w in widths:
        mods += [nn.Linear(d, w), nn.ReLU()]
        d = w
    return nn.Sequential(*mods, nn.Linear(d, 4))


def digits(n, gen):
    y = torch.randint(0, 4, (n,), generator=gen)
    x = torch.zeros(n, 1, 6, 6)
    for i, c in enumerate(y.tolist()):
        x[i, 0, (c // 2) * 3:(c // 2) * 3 + 3, (c % 2) * 3:(c % 2) * 3 + 3] = 1
    return x + 0.4 * torch.randn(n, 1, 6, 6, generator=gen), y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--arch", default="deep")
    ap.add_argument("--penalty", choices=sorted(PENALTIES), default="hoyer")
    ap.add_argument("--weight", type=float, default=0.05)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--bs", type=int, default=16)
    args = ap.parse_args()
    gen = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    train = DataLoader(TensorDataset(*digits(96, gen)), args.bs, shuffle=True)
    test = DataLoader(TensorDataset(*digits(48, gen)), args.bs)
    model = build(args.arch)
    rec, pen = Recorder(model), PENALTIES[args.penalty]
    opt = torch.optim.Adam(model.parameters(), 3e-3)
    for epoch in range(args.epochs):
        rec.reset()
        model.train()
        for x, y in train:
            logits = model(x)
            loss = F.cross_entropy(logits, y) + args.weight * pen(rec.activations())
            opt.zero_grad()
            loss.backward()  # raises
            opt.step()
        model.eval()
        with torch.no_grad(), rec.paused():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in test) / 48
        print(f"epoch {epoch} loss {loss.item():.3f} acc {acc:.2f}")
    rec.close()


if __name__ == "__main__":
    main()
