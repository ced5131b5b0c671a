"""A penalty of each step is added up and forgotten."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
penalty = 0.0
for x in torch.randn(6, 5, 4):
    hidden = model[0](x)
    penalty = penalty + hidden.abs().mean()  # want: SP301
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
