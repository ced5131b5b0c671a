"""A penalty of each step goes into its loss."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(6, 5, 4):
    penalty = 0.0
    for layer in (model[0], model[2]):
        penalty = penalty + layer.weight.abs().mean()
    loss = model(x).pow(2).mean() + 0.1 * penalty
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
