"""A queue that forgets."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
from collections import deque

latest = deque(maxlen=3)
for x in torch.randn(8, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    latest.append(loss)
    print(float(sum(latest)) / len(latest))
