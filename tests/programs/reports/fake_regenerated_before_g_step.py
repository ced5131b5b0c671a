# judge: verdict only
# fake not detached in D loss, but re-generated with the same z before the G loss
import torch
import torch.nn as nn

torch.manual_seed(0)
k, p, n_critic = 2, 6, 2


def block(a, b, last=False):
    layers = [nn.Linear(a, b)]
    if not last:
        layers.append(nn.LeakyReLU(0.2, inplace=True))
    return layers


generator = nn.Sequential(*block(5, 16), *block(16, 12, last=True), nn.Tanh())
discriminator = nn.Sequential(*block(12, 16), *block(16, 1, last=True))
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4)
opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4)
loader = [torch.randn(6, 12) for _ in range(5)]
history = {"d": [], "g": []}


def slope(out, inp):
    ones = torch.ones_like(out)
    g = torch.autograd.grad(out, inp, ones, create_graph=True, retain_graph=True)[0]
    return g.view(g.size(0), -1).pow(2).sum(1) ** (p / 2)


for epoch in range(2):
    for i, imgs in enumerate(loader):
        real = imgs.clone().requires_grad_(True)
        opt_d.zero_grad()
        z = torch.randn(imgs.shape[0], 5)
        fake = generator(z)
        real_validity = discriminator(real)
        fake_validity = discriminator(fake)
        penalty = torch.mean(slope(real_validity, real) + slope(fake_validity, fake)) * k / 2
        d_loss = -torch.mean(real_validity) + torch.mean(fake_validity) + penalty
        d_loss.backward()
        opt_d.step()
        opt_g.zero_grad()
        if i % n_critic == 0:
            fake = generator(z)
            fake_validity = discriminator(fake)
            g_loss = -torch.mean(fake_validity)
            g_loss.backward()
            opt_g.step()
            history["d"].append(d_loss.item())
            history["g"].append(g_loss.item())
print(history["g"][-1])
