"""The loss of the generator was computed before the discriminator's step changed the weights it went through."""
import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Linear(2, 3)
discriminator = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
opt_d = torch.optim.SGD(discriminator.parameters(), lr=0.1)
real = torch.randn(4, 3)
fake = generator(torch.randn(4, 2))
g_loss = -discriminator(fake).mean()
d_loss = discriminator(fake.detach()).mean() - discriminator(real).mean()
opt_d.zero_grad()
d_loss.backward()
opt_d.step()
opt_g.zero_grad()
g_loss.backward()  # raises: inplace  # want: SP203
opt_g.step()
