"""A dict of meters, each a list."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
from collections import defaultdict

meters = defaultdict(list)
for x in torch.randn(6, 5, 4):
    out = model(x)
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for name, value in {"loss": loss, "mean": out.mean()}.items():
        meters[name].append(value)  # want: SP302
print({name: float(sum(values)) for name, values in meters.items()})
