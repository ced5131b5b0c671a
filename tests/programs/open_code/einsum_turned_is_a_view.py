import torch
from torch import nn

lin = nn.Linear(3, 9)
for x in torch.randn(2, 4, 3):
    adj = lin(x).view(4, 3, 3) * 2
    turned = torch.einsum("ijk->ikj", adj).exp()
    share = torch.einsum("ijk->ikj", adj).pow(2)
    adj[:, 0, 0] = 0
    (turned.sum() + share.sum()).backward()  # raises: inplace  # want: SP203
