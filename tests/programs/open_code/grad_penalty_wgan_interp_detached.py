import torch
from torch import nn
G, D = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(), nn.Linear(8, 1))
og, od = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())


def penalty(real, fake):
    a = torch.rand(real.size(0), 1)
    mix = (a * real + (1 - a) * fake).detach().requires_grad_()
    out = D(mix)
    g, = torch.autograd.grad(out, mix, torch.ones_like(out), create_graph=True, retain_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


for real in torch.randn(3, 5, 3):
    fake = G(torch.randn(5, 2))
    d_loss = D(fake.detach()).mean() - D(real).mean() + 10 * penalty(real, fake)
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = -D(fake).mean()
    og.zero_grad()
    g_loss.backward()
    og.step()
