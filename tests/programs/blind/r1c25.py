# judge: verdict only
# GAN: one fake batch, detached for D and reused live for G
import argparse

import torch
import torch.nn as nn


def block(i, o):
    return [nn.Linear(i, o), nn.LeakyReLU(0.2, inplace=True)]


class Generator(nn.Module):
    def __init__(self, z, shape=(1, 6, 6)):
        super().__init__()
        self.shape = shape
        self.net = nn.Sequential(*block(z, 32), nn.Linear(32, 36), nn.Tanh())

    def forward(self, z):
        return self.net(z).view(-1, *self.shape)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), *block(36, 32), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--z", type=int, default=8)
    ap.add_argument("--iters", type=int, default=20)
    opt = ap.parse_args([])
    torch.manual_seed(0)
    G, D = Generator(opt.z), Discriminator()
    og = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
    od = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()
    for i in range(opt.iters):
        real = torch.rand(16, 1, 6, 6).round() * 2 - 1
        valid, bogus = torch.ones(16, 1), torch.zeros(16, 1)
        fake = G(torch.randn(16, opt.z))

        d_real = bce(D(real), valid)
        od.zero_grad()
        d_real.backward()
        d_fake = bce(D(fake.detach()), bogus)
        d_fake.backward()
        od.step()

        og.zero_grad()
        g_loss = bce(D(fake), valid)
        g_loss.backward()
        og.step()
        if i % 5 == 0:
            print(f"{i:03d} D {d_real.item() + d_fake.item():.3f} G {g_loss.item():.3f}")


if __name__ == "__main__":
    main()
