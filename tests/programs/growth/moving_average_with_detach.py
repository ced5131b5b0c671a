"""An average of weights that is cut in each step."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = [p.detach().clone() for p in model.parameters()]
for x in torch.randn(6, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for slow, p in zip(average, model.parameters()):
        slow.mul_(0.9).add_(p.detach(), alpha=0.1)
