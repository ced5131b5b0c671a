"""A smoothed loss that begins with the first one."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
smooth = None
for x in torch.randn(6, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss  # want: SP301
    print(float(smooth))
