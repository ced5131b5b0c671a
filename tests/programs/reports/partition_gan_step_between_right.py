# judge: verdict only
# both GAN losses share the discriminator pass; D is stepped between the two backwards (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)
batch, latent = 8, 6
generator = nn.Sequential(nn.Linear(latent, 24), nn.LeakyReLU(0.2), nn.Linear(24, 12), nn.Tanh())
discriminator = nn.Sequential(nn.Linear(12, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4)
opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4)


def safe_log(x):
    return torch.log(x + 1e-8)


for epoch in range(2):
    for imgs in torch.randn(3, batch, 12):
        opt_g.zero_grad()
        opt_d.zero_grad()
        g_target, d_target = 1 / (batch * 2), 1 / batch
        gen_imgs = generator(torch.randn(batch, latent))
        d_real = discriminator(imgs)
        d_fake = discriminator(gen_imgs.detach())
        Z = torch.exp(-d_real).sum() + torch.exp(-d_fake).sum()
        d_loss = d_target * d_real.sum() + safe_log(Z)
        d_loss.backward()
        opt_d.step()
        d_real, d_fake = discriminator(imgs), discriminator(gen_imgs)
        Z = torch.exp(-d_real).sum() + torch.exp(-d_fake).sum()
        g_loss = g_target * (d_real.sum() + d_fake.sum()) + safe_log(Z)
        g_loss.backward()
        opt_g.step()
        print(epoch, d_loss.item(), g_loss.item())
