import torch
from torch import nn
from torch_geometric.nn import SGConv

edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
first, conv = nn.Linear(3, 3), SGConv(3, 2, K=2, cached=True)
optimizer = torch.optim.SGD([*first.parameters(), *conv.parameters()], lr=0.1)
x = torch.randn(4, 3)
for step in range(3):
    out = conv(torch.relu(first(x)), edges)
    optimizer.zero_grad()
    out.pow(2).mean().backward()
    optimizer.step()
