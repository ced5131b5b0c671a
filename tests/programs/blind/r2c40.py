# judge: verdict only
# deep equilibrium layer: backward hook solves with autograd.grad(retain_graph=True) repeatedly
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd
from torch.utils.data import DataLoader, TensorDataset


def fixed_point(f, x0, max_iter, tol):
    x, res = x0, float("inf")
    for k in range(max_iter):
        nxt = f(x)
        res = (nxt - x).norm().item() / (1e-5 + nxt.norm().item())
        x = nxt
        if res < tol:
            break
    return x, k + 1, res


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.W = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        with torch.no_grad():
            self.W.weight.mul_(0.3)

    def forward(self, z, x):
        return torch.tanh(self.norm(self.W(z) + x))


class DEQLayer(nn.Module):
    def __init__(self, f, max_iter=15, tol=1e-3):
        super().__init__()
        self.f, self.max_iter, self.tol = f, max_iter, tol
        self.stats = {"fwd": 0, "bwd": 0}
        self.hook = None

    def forward(self, x):
        with torch.no_grad():
            z, n, _ = fixed_point(lambda z: self.f(z, x), torch.zeros_like(x), self.max_iter, self.tol)
        self.stats["fwd"] += n
        z = self.f(z, x)
        if not z.requires_grad:
            return z
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def backward_hook(grad):
            g, n, _ = fixed_point(lambda y: autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad, self.max_iter, self.tol)
            self.stats["bwd"] += n
            return g

        self.hook = z.register_hook(backward_hook)
        return z


class DEQClassifier(nn.Module):
    def __init__(self, n_in, width, classes):
        super().__init__()
        self.inject = nn.Linear(n_in, width)
        self.deq = DEQLayer(Cell(width))
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.deq(self.inject(x)))


def moons(n):
    t = torch.rand(n) * 3.1416
    y = torch.randint(0, 2, (n,))
    x = torch.stack([torch.cos(t) + y * 1.0, torch.sin(t) * (1 - 2 * y) + 0.5 * y], 1)
    return x + 0.1 * torch.randn(n, 2), y


def epoch_pass(loader, model, opt=None):
    total_loss, total_err = 0.0, 0
    model.train(opt is not None)
    for x, y in loader:
        yp = model(x)
        loss = F.cross_entropy(yp, y)
        if opt:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total_err += (yp.argmax(1) != y).sum().item()
        total_loss += loss.item() * len(x)
    n = len(loader.dataset)
    return total_err / n, total_loss / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--width", type=int, default=12)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()
    torch.manual_seed(0)
    train = DataLoader(TensorDataset(*moons(128)), 16, shuffle=True)
    test = DataLoader(TensorDataset(*moons(64)), 16)
    model = DEQClassifier(2, args.width, 2)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        tr = epoch_pass(train, model, opt)
        with torch.no_grad():
            te = epoch_pass(test, model)
        print(f"{epoch}: train {tr[0]:.3f}/{tr[1]:.3f} test {te[0]:.3f}/{te[1]:.3f} {model.deq.stats}")


if __name__ == "__main__":
    main()
