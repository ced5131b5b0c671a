"""Losses gathered over two iterations, walked once, and forgotten."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []
for step in range(6):
    losses.append(model(torch.randn(4, 3)).pow(2).mean())
    if (step + 1) % 2 == 0:
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()
        losses.clear()
