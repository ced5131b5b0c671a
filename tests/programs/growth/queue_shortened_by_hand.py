"""What is too old is taken out."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
latest = []
for x in torch.randn(20, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    latest.append(loss)
    if len(latest) > 4:
        latest.pop(0)
    print(float(sum(latest)) / len(latest))
