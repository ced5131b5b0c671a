# judge: verdict only
# FactorVAE: encoder stepped before the discriminator's loss walks it
import logging
from dataclasses import dataclass

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("factorvae")


@dataclass
class Config:
    img_dim: int = 20
    latent: int = 4
    hidden: int = 24
    gamma: float = 6.0
    lr: float = 1e-3
    lr_disc: float = 5e-4
    epochs: int = 2
    batch: int = 16


class VAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(cfg.img_dim, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU())
        self.mu = nn.Linear(cfg.hidden, cfg.latent)
        self.logvar = nn.Linear(cfg.hidden, cfg.latent)
        self.dec = nn.Sequential(nn.Linear(cfg.latent, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.img_dim))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar, z


class Discriminator(nn.Module):
    def __init__(self, latent, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, 2))

    def forward(self, z):
        return self.net(z)


def permute_dims(z):
    out = torch.zeros_like(z)
    for j in range(z.size(1)):
        out[:, j] = z[torch.randperm(z.size(0)), j]
    return out


class FactorLoss:
    def __init__(self, cfg, disc):
        self.gamma = cfg.gamma
        self.disc = disc
        self.opt_d = optim.Adam(disc.parameters(), lr=cfg.lr_disc, betas=(0.5, 0.9))

    def step(self, data, model, opt):
        x1, x2 = data.chunk(2)
        recon, mu, logvar, z1 = model(x1)
        rec = F.mse_loss(recon, x1, reduction="sum") / len(x1)
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        d_z = self.disc(z1)
        tc = (d_z[:, 0] - d_z[:, 1]).mean()
        vae_loss = rec + kld + self.gamma * tc
        opt.zero_grad()
        vae_loss.backward(retain_graph=True)
        opt.step()

        z_perm = permute_dims(model(x2)[3]).detach()
        ones = torch.ones(len(x1), dtype=torch.long)
        d_tc_loss = 0.5 * (F.cross_entropy(d_z, ones * 0) + F.cross_entropy(self.disc(z_perm), ones))
        self.opt_d.zero_grad()
        d_tc_loss.backward()  # raises: inplace
        self.opt_d.step()
        return {"rec": rec.item(), "kld": kld.item(), "tc": tc.item(), "d": d_tc_loss.item()}


def run(cfg):
    torch.manual_seed(1)
    data = TensorDataset(torch.rand(96, cfg.img_dim))
    loader = DataLoader(data, cfg.batch, shuffle=True, drop_last=True)
    model, disc = VAE(cfg), Discriminator(cfg.latent)
    opt = optim.Adam(model.parameters(), lr=cfg.lr)
    crit = FactorLoss(cfg, disc)
    for epoch in range(cfg.epochs):
        for it, (x,) in enumerate(loader):
            stats = crit.step(x, model, opt)
        log.info("epoch %d %s", epoch, {k: round(v, 3) for k, v in stats.items()})


if __name__ == "__main__":
    run(Config())
