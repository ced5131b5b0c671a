"""One list for all epochs, read at the end of each."""

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
        curve.append(loss / 2)  # want: SP302
    print(float(sum(curve[-4:])))
