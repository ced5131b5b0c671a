"""A dict with three keys, written round and round."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ring = {}
for step, x in enumerate(torch.randn(12, 5, 4)):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ring[step % 3] = loss
print(float(sum(ring.values())))
