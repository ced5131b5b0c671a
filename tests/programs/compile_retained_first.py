"""A compiled region whose first walk keeps the graph never gives its buffers away: later ones may keep it too."""

import torch
from torch import nn

torch.manual_seed(0)
net = torch.compile(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3)), backend="aot_eager")
for step in range(2):
    out = net(torch.rand(2, 3))
    first, second = out.sum(), out.pow(2).sum()
    first.backward(retain_graph=True)
    second.backward()
