"""A smoothed loss without gradients."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
smooth = torch.zeros(())
for x in torch.randn(6, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        smooth = 0.9 * smooth + 0.1 * loss
    print(float(smooth))
