# judge: verdict only
# GAN loop: one batch of fakes, used un-detached in the discriminator loss and again in the generator loss (put right)
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)

N_NOISE, N_PIXELS, SIZE = 8, 20, 16


def dense(sizes, last):
    parts = []
    for a, b in zip(sizes, sizes[1:]):
        parts += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    parts[-1] = last
    return nn.Sequential(*parts)


painter = dense([N_NOISE, 32, 32, N_PIXELS], nn.Tanh())
expert = dense([N_PIXELS, 32, 1], nn.Sigmoid())
bce = nn.BCELoss()
painter_opt = torch.optim.Adam(painter.parameters(), lr=2e-4, betas=(0.5, 0.999))
expert_opt = torch.optim.Adam(expert.parameters(), lr=2e-4, betas=(0.5, 0.999))
gallery = DataLoader(torch.rand(64, N_PIXELS) * 2 - 1, batch_size=SIZE, shuffle=True)


def labels(n, value):
    return torch.full((n, 1), float(value))


for epoch in range(1):
    for i, originals in enumerate(gallery):
        n = originals.size(0)

        # expert
        forgeries = painter(torch.randn(n, N_NOISE))
        seen_original = bce(expert(originals), labels(n, 1))
        seen_forgery = bce(expert(forgeries.detach()), labels(n, 0))
        expert_loss = 0.5 * (seen_original + seen_forgery)
        expert_opt.zero_grad()
        expert_loss.backward()
        expert_opt.step()

        # painter
        painter_loss = bce(expert(forgeries), labels(n, 1))
        painter_opt.zero_grad()
        painter_loss.backward()
        painter_opt.step()

        print(f"{epoch}.{i} expert {expert_loss.item():.3f} painter {painter_loss.item():.3f}")
