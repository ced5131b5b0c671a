"""A forward hook keeps what it sees."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features = []
model[0].register_forward_hook(lambda module, given, result: features.append(result))  # want: SP302
for x in torch.randn(6, 5, 4):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(len(features))
