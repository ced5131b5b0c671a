"""The same with numbers."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x):
    out = model(x)
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "bias": out.mean().item()}


for epoch in range(2):
    totals = {"loss": 0.0, "bias": 0.0}
    for x in torch.randn(6, 5, 4):
        for name, value in step(x).items():
            totals[name] += value
    print({name: total / 6 for name, total in totals.items()})
