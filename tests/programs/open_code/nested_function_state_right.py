import torch
from torch import nn


def make_step(cell, opt):
    h = torch.zeros(2, 4)
    def step(x):
        nonlocal h
        h = cell(x, h.detach())
        opt.zero_grad()
        h.mean().backward()
        opt.step()
    return step


cell = nn.GRUCell(3, 4)
step = make_step(cell, torch.optim.SGD(cell.parameters(), 0.1))
for x in torch.randn(4, 2, 3):
    step(x)
