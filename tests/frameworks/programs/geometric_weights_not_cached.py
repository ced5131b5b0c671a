import torch
from torch import nn
from torch_geometric.nn import GCNConv

edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
weight = nn.Parameter(torch.rand(4))
conv = GCNConv(3, 2)
optimizer = torch.optim.SGD([*conv.parameters(), weight], lr=0.1)
x = torch.randn(4, 3)
for step in range(3):
    out = conv(x, edges, weight.sigmoid())
    optimizer.zero_grad()
    out.pow(2).mean().backward()
    optimizer.step()
