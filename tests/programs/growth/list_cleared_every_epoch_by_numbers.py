"""Numbers, and the list cleared at the end of each epoch."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
curve = []
for epoch in range(3):
    for x in torch.randn(4, 5, 4):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(float(loss))
    print(sum(curve))
    curve.clear()
