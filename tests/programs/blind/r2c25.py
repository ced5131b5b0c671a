# judge: verdict only
# neural ODE: first-same-as-last derivative kept on the solver between batches
"""Fit a vector field to spirals with a small third order solver."""
import argparse
import time

import torch
import torch.nn as nn


class ODEFunc(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y ** 3)


class Solver:
    order = None

    def __init__(self, func):
        self.func = func

    def step(self, t, y, h):
        raise NotImplementedError

    def integrate(self, y0, ts, substeps=2):
        out, y = [y0], y0
        for a, b in zip(ts[:-1].tolist(), ts[1:].tolist()):
            h = (b - a) / substeps
            for i in range(substeps):
                y = self.step(a + i * h, y, h)
            out.append(y)
        return torch.stack(out)


class RK4(Solver):
    order = 4

    def step(self, t, y, h):
        f = self.func
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Bosh3(Solver):
    order = 3

    def __init__(self, func):
        super().__init__(func)
        self.k_last = None

    def step(self, t, y, h):
        f = self.func
        k1 = self.k_last if self.k_last is not None and self.k_last.shape == y.shape else f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + 3 * h / 4, y + 3 * h / 4 * k2)
        y1 = y + h * (2 / 9 * k1 + 1 / 3 * k2 + 4 / 9 * k3)
        self.k_last = f(t + h, y1)
        return y1


SOLVERS = {"rk4": RK4, "bosh3": Bosh3}


def get_batch(y, t, batch_time, batch_size):
    s = torch.randint(0, len(t) - batch_time, (batch_size,))
    return y[s], t[:batch_time], torch.stack([y[s + i] for i in range(batch_time)])


def main():
    ap = argparse.ArgumentParser("ODE demo")
    ap.add_argument("--method", choices=sorted(SOLVERS), default="bosh3")
    ap.add_argument("--data_size", type=int, default=100)
    ap.add_argument("--batch_time", type=int, default=5)
    ap.add_argument("--batch_size", type=int, default=12)
    ap.add_argument("--niters", type=int, default=30)
    ap.add_argument("--test_freq", type=int, default=10)
    args = ap.parse_args()
    torch.manual_seed(0)
    A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    t = torch.linspace(0.0, 6.0, args.data_size)
    with torch.no_grad():
        true_y = RK4(lambda t, y: (y ** 3) @ A).integrate(torch.tensor([[2.0, 0.0]]), t)[:, 0]
    func = ODEFunc(2, 24)
    solver = SOLVERS[args.method](func)
    opt = torch.optim.RMSprop(func.parameters(), lr=1e-3)
    end, avg = time.time(), 0.0
    for itr in range(1, args.niters + 1):
        opt.zero_grad()
        y0, bt, by = get_batch(true_y, t, args.batch_time, args.batch_size)
        pred = solver.integrate(y0, bt)
        loss = (pred - by).abs().mean()
        loss.backward()  # raises: inplace
        opt.step()
        avg = 0.9 * avg + 0.1 * loss.item()
        if itr % args.test_freq == 0:
            with torch.no_grad():
                test = (SOLVERS[args.method](func).integrate(true_y[:1], t)[:, 0] - true_y).abs().mean().item()
            print(f"iter {itr:3d} avg {avg:.4f} total {test:.4f} nfe {func.nfe} {time.time() - end:.2f}s")
            func.nfe = 0


if __name__ == "__main__":
    main()
