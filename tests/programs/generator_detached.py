"""A GAN as it should be: the discriminator sees the fake without its history, the generator gets a fresh score."""
import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
discriminator = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam(generator.parameters())
opt_d = torch.optim.Adam(discriminator.parameters())
for step in range(3):
    real = torch.randn(4, 3)
    fake = generator(torch.randn(4, 2))
    d_loss = nn.functional.softplus(-discriminator(real)).mean() + nn.functional.softplus(discriminator(fake.detach())).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = nn.functional.softplus(-discriminator(fake)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
