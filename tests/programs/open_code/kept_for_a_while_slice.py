"""The last five losses."""

import torch
from torch import nn
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def step(x):
    loss = net(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    return loss
out = []
for x in torch.randn(20, 4, 3):
    out.append(step(x))
    out = out[-5:]
