import torch
from torch_geometric.nn import GCNConv

edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
conv = GCNConv(3, 2, cached=True)
optimizer = torch.optim.SGD(conv.parameters(), lr=0.1)
x, weight = torch.randn(4, 3), torch.rand(4)
for step in range(3):
    out = conv(x, edges, weight)
    optimizer.zero_grad()
    out.pow(2).mean().backward()
    optimizer.step()
