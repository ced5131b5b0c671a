# judge: verdict only
# Bayes by backprop: KL of the weights shared by the Monte-Carlo samples' backwards
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class BayesLinear(nn.Module):
    def __init__(self, n_in, n_out, prior_sigma=1.0):
        super().__init__()
        self.w_mu = nn.Parameter(torch.randn(n_out, n_in) / math.sqrt(n_in))
        self.w_rho = nn.Parameter(torch.full((n_out, n_in), -4.0))
        self.b_mu = nn.Parameter(torch.zeros(n_out))
        self.b_rho = nn.Parameter(torch.full((n_out,), -4.0))
        self.prior_sigma = prior_sigma

    def _kl(self, mu, rho):
        s, p = F.softplus(rho), self.prior_sigma
        return (torch.log(p / s) + (s ** 2 + mu ** 2) / (2 * p ** 2) - 0.5).sum()

    def kl(self):
        return self._kl(self.w_mu, self.w_rho) + self._kl(self.b_mu, self.b_rho)

    def forward(self, x):
        w = self.w_mu + F.softplus(self.w_rho) * torch.randn_like(self.w_mu)
        b = self.b_mu + F.softplus(self.b_rho) * torch.randn_like(self.b_mu)
        return F.linear(x, w, b)


class BNN(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(BayesLinear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.log_noise = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i + 1 < len(self.layers):
                x = torch.tanh(x)
        return x

    def kl(self):
        return torch.stack([l.kl() for l in self.layers]).sum()

    def nll(self, x, y):
        return 0.5 * ((y - self(x)) / self.log_noise.exp()).pow(2).mean() + self.log_noise


class KLAnneal:
    def __init__(self, warm):
        self.warm, self.epoch = warm, 0

    def step(self):
        self.epoch += 1

    @property
    def beta(self):
        return min(1.0, (self.epoch + 1) / self.warm)


def predict(model, x, n=20):
    with torch.no_grad():
        draws = torch.stack([model(x) for _ in range(n)])
    return draws.mean(0), draws.std(0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--bs", type=int, default=16)
    ap.add_argument("--samples", type=int, default=3)
    ap.add_argument("--lr", type=float, default=1e-2)
    args = ap.parse_args()
    torch.manual_seed(0)
    x = torch.linspace(-2, 2, 96)[:, None]
    y = x.sin() + 0.3 * (3 * x).cos() + 0.1 * torch.randn_like(x)
    loader = DataLoader(TensorDataset(x, y), args.bs, shuffle=True)
    model, anneal = BNN([1, 16, 1]), KLAnneal(3)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    n_data = len(x)
    for epoch in range(args.epochs):
        elbo = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            complexity = anneal.beta * model.kl() / n_data
            for s in range(args.samples):
                loss = (model.nll(xb, yb) + complexity) / args.samples
                loss.backward()  # raises
                elbo -= loss.item() * len(xb) / n_data
            nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            opt.step()
        anneal.step()
        mean, std = predict(model, x)
        print(f"epoch {epoch} elbo {elbo:.3f} rmse {F.mse_loss(mean, y).sqrt():.3f} spread {std.mean():.3f}")


if __name__ == "__main__":
    main()
