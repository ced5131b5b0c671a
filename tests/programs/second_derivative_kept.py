"""Every walk that keeps a graph which a later one needs is needed, not the first one only."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
points = torch.linspace(0, 1, 50).reshape(-1, 1).requires_grad_(True)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(3):
    optimizer.zero_grad()
    u = net(points)
    (first,) = torch.autograd.grad(u.sum(), points, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), points, retain_graph=True)
    loss = (second - u).pow(2).mean()
    loss.backward()
    optimizer.step()
