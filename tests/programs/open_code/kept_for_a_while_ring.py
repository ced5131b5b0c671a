"""The last four losses, in a list that has its length."""

import torch
from torch import nn
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def step(x):
    loss = net(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    return loss
ring = [None] * 4
for i, x in enumerate(torch.randn(20, 4, 3)):
    ring[i % 4] = step(x)
