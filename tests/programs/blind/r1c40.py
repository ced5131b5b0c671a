# judge: verdict only
# WGAN: fakes sampled once, critic updated n_critic times
from dataclasses import dataclass

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class GANConfig:
    latent: int = 6
    n_critic: int = 3
    clip: float = 0.05
    lr: float = 5e-4
    epochs: int = 2
    batch_size: int = 32


def ring(n):
    a = torch.rand(n) * 6.2831853
    return torch.stack([a.cos(), a.sin()], 1) + 0.03 * torch.randn(n, 2)


def net(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class WGAN:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen, self.critic = net(cfg.latent, 2), net(2, 1)
        self.opt_g = optim.RMSprop(self.gen.parameters(), lr=cfg.lr)
        self.opt_c = optim.RMSprop(self.critic.parameters(), lr=cfg.lr)

    def clip_weights(self):
        with torch.no_grad():
            for p in self.critic.parameters():
                p.clamp_(-self.cfg.clip, self.cfg.clip)

    def train_epoch(self, loader):
        c_loss = g_loss = torch.zeros(())
        for (real,) in loader:
            z = torch.randn(real.size(0), self.cfg.latent)
            fake = self.gen(z)
            for _ in range(self.cfg.n_critic):
                self.opt_c.zero_grad()
                c_loss = self.critic(fake).mean() - self.critic(real).mean()
                c_loss.backward()  # raises
                self.opt_c.step()
                self.clip_weights()

            self.opt_g.zero_grad()
            g_loss = -self.critic(self.gen(z)).mean()
            g_loss.backward()
            self.opt_g.step()
        return c_loss.item(), g_loss.item()


def main():
    torch.manual_seed(11)
    cfg = GANConfig()
    loader = DataLoader(TensorDataset(ring(160)), batch_size=cfg.batch_size, shuffle=True)
    gan = WGAN(cfg)
    for ep in range(cfg.epochs):
        c, g = gan.train_epoch(loader)
        print(f"[{ep}] critic={c:+.4f} gen={g:+.4f}")


if __name__ == "__main__":
    main()
