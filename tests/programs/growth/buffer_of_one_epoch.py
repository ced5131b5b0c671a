"""A tensor of results, made anew in each epoch."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    results = torch.zeros(6)
    for i, x in enumerate(torch.randn(6, 5, 4)):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        results[i] = loss
    print(results.mean().item())
