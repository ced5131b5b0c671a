# judge: verdict only
# Bayesian optimisation: cached Cholesky factor keeps the hyperparameter graph
from functools import cached_property

import torch
from torch import nn


class RBF(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw_ls = nn.Parameter(torch.zeros(()))
        self.raw_os = nn.Parameter(torch.zeros(()))

    def forward(self, a, b):
        ls, os = nn.functional.softplus(self.raw_ls), nn.functional.softplus(self.raw_os)
        d2 = (a[:, None] - b[None]).pow(2).sum(-1)
        return os * torch.exp(-0.5 * d2 / ls ** 2)


class ExactGP(nn.Module):
    def __init__(self, x, y, noise=1e-2):
        super().__init__()
        self.kernel = RBF()
        self.x, self.y, self.noise = x, y, noise

    def _chol(self):
        k = self.kernel(self.x, self.x) + self.noise * torch.eye(len(self.x))
        return torch.linalg.cholesky(k)

    def neg_mll(self):
        L = self._chol()
        alpha = torch.cholesky_solve(self.y[:, None], L)
        return 0.5 * (self.y @ alpha.squeeze(-1)) + L.diagonal().log().sum()

    @cached_property
    def prediction_cache(self):
        L = self._chol()
        return L, torch.cholesky_solve(self.y[:, None], L)

    def posterior(self, xs):
        L, alpha = self.prediction_cache
        ks = self.kernel(xs, self.x)
        mean = (ks @ alpha).squeeze(-1)
        v = torch.linalg.solve_triangular(L, ks.t(), upper=False)
        var = nn.functional.softplus(self.kernel.raw_os) - v.pow(2).sum(0)
        return mean, var.clamp_min(1e-6)

    def condition_on(self, x, y):
        self.x, self.y = torch.cat([self.x, x]), torch.cat([self.y, y])
        self.__dict__.pop("prediction_cache", None)


def objective(x):
    return torch.sin(3 * x[:, 0]) * torch.cos(2 * x[:, 1])


def fit_hyperparameters(gp, steps=15):
    opt = torch.optim.Adam(gp.parameters(), lr=0.05)
    for _ in range(steps):
        opt.zero_grad()
        loss = gp.neg_mll()
        loss.backward()
        opt.step()
    return loss.item()


def ucb(gp, x, beta=2.0):
    mean, var = gp.posterior(x)
    return mean + beta * var.sqrt()


def optimize_acquisition(gp, restarts=4, steps=10):
    cand = torch.rand(restarts, 2, requires_grad=True)
    opt = torch.optim.Adam([cand], lr=0.05)
    for _ in range(steps):
        opt.zero_grad()
        value = -ucb(gp, cand).sum()
        value.backward()  # raises
        opt.step()
        with torch.no_grad():
            cand.clamp_(0, 1)
    with torch.no_grad():
        return cand[ucb(gp, cand).argmax()].unsqueeze(0).clone()


def main(rounds=3):
    torch.manual_seed(0)
    x = torch.rand(6, 2)
    gp = ExactGP(x, objective(x))
    for r in range(rounds):
        nll = fit_hyperparameters(gp)
        nxt = optimize_acquisition(gp)
        gp.condition_on(nxt, objective(nxt))
        print(f"round {r} nll {nll:.3f} best {gp.y.max():.3f}")


if __name__ == "__main__":
    main()
