import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
cell = nn.GRUCell(3, 4)
opt = torch.optim.SGD(cell.parameters(), 0.1)
h = torch.zeros(2, 4)
for x in torch.randn(4, 2, 3):
    h = checkpoint(cell, x, h.detach(), use_reentrant=False)
    opt.zero_grad()
    h.mean().backward()
    opt.step()
