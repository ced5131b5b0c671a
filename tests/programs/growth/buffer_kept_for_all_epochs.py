"""A tensor of results that is older than the epochs."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
results = torch.zeros(6)
for epoch in range(4):
    for i, x in enumerate(torch.randn(6, 5, 4)):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        results[i] = loss  # want: SP301
    print(results.mean().item())
