"""An average of weights that keeps their history."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = [torch.zeros_like(p) for p in model.parameters()]
for x in torch.randn(6, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average = [0.9 * slow + 0.1 * p for slow, p in zip(average, model.parameters())]  # want: SP301
