# judge: verdict only
# PINN with LBFGS: boundary loss evaluated outside the closure
import argparse
import math

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


class PINN(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layers[:-1], layers[1:]))
        for l in self.linears:
            nn.init.xavier_normal_(l.weight)
            nn.init.zeros_(l.bias)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for l in self.linears[:-1]:
            h = torch.tanh(l(h))
        return self.linears[-1](h)


def d(out, inp):
    return torch.autograd.grad(out, inp, torch.ones_like(out), create_graph=True)[0]


class BurgersProblem:
    def __init__(self, n_f, n_b, nu=0.01 / math.pi):
        g = torch.Generator().manual_seed(5)
        self.xf = (torch.rand(n_f, 1, generator=g) * 2 - 1).requires_grad_()
        self.tf = torch.rand(n_f, 1, generator=g).requires_grad_()
        self.xb = torch.cat([torch.rand(n_b, 1, generator=g) * 2 - 1, torch.ones(n_b, 1), -torch.ones(n_b, 1)])
        self.tb = torch.cat([torch.zeros(n_b, 1), torch.rand(2 * n_b, 1, generator=g)])
        self.ub = torch.where(self.tb == 0, -torch.sin(math.pi * self.xb), torch.zeros_like(self.xb))
        self.nu = nu

    def residual(self, net):
        u = net(self.xf, self.tf)
        u_x, u_t = d(u, self.xf), d(u, self.tf)
        return (u_t + u * u_x - self.nu * d(u_x, self.xf)).pow(2).mean()

    def boundary(self, net):
        return (net(self.xb, self.tb) - self.ub).pow(2).mean()


def adam_warmup(net, prob, steps, lr, w):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for i in range(steps):
        opt.zero_grad()
        loss = prob.residual(net) + w * prob.boundary(net)
        loss.backward()
        opt.step()
    print(f"adam  {steps:4d} its, loss {loss.item():.3e}")


def lbfgs_refine(net, prob, rounds, w):
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5, history_size=10, line_search_fn="strong_wolfe")
    log = []
    for k in range(rounds):
        mse_b = w * prob.boundary(net)

        def closure():
            opt.zero_grad()
            mse_f = prob.residual(net)
            loss = mse_f + mse_b
            loss.backward()  # raises
            log.append((mse_f.item(), mse_b.item()))
            return loss

        opt.step(closure)
        print(f"lbfgs round {k}: f {log[-1][0]:.3e} b {log[-1][1]:.3e}")
    return log


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=12)
    ap.add_argument("--adam", type=int, default=20)
    ap.add_argument("--rounds", type=int, default=4)
    ap.add_argument("--weight", type=float, default=10.0)
    args = ap.parse_args()
    torch.manual_seed(0)
    net = PINN([2, args.width, args.width, 1])
    prob = BurgersProblem(40, 10)
    adam_warmup(net, prob, args.adam, 1e-3, args.weight)
    log = lbfgs_refine(net, prob, args.rounds, args.weight)
    print("closure evaluations:", len(log))


if __name__ == "__main__":
    main()
