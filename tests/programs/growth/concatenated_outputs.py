"""Outputs put together in one tensor that grows."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
outputs = torch.empty(0, 1)
for x in torch.randn(8, 5, 4):
    out = model(x)
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    outputs = torch.cat([outputs, out])  # want: SP301
print(outputs.shape)
