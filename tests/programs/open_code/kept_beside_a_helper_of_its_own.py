"""A helper has a list of the same name, which it leaves for an empty one: the list outside grows all the same."""

import torch
from torch import nn

net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step(x):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


def look(value):
    kept = [value]
    kept = []
    return len(kept)


kept = []
for x in torch.randn(20, 4, 3):
    loss = step(x)
    kept.append(loss)  # want: SP302
    look(loss.item())
