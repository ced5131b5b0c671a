import torch
from torch import nn


def make_step(cell, opt):
    h = torch.zeros(2, 4)
    def step(x):
        nonlocal h
        h = cell(x, h)  # want: SP101
        opt.zero_grad()
        h.mean().backward()  # raises
        opt.step()
    return step


cell = nn.GRUCell(3, 4)
step = make_step(cell, torch.optim.SGD(cell.parameters(), 0.1))
for x in torch.randn(4, 2, 3):
    step(x)
