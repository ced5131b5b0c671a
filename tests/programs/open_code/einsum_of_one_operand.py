import torch
from torch import nn

lin = nn.Linear(3, 9)
ind = torch.arange(3)


def trace(x):
    return torch.einsum("ijj->i", x)


for x in torch.randn(2, 4, 3):
    adj = lin(x).view(4, 3, 3).tanh() + 2
    ratio = trace(adj) / torch.einsum("i j k -> i", adj)
    turned = torch.einsum("ijk->ikj", adj * 1.0)
    adj = adj * 1.0
    kept = trace(adj)
    share = kept / kept.exp()
    adj[:, ind, ind] = 0
    (ratio.sum() + turned.exp().sum() + share.sum() + adj.sum()).backward()
