import torch
from torch import nn
cell = nn.GRUCell(3, 4)
opt = torch.optim.SGD(cell.parameters(), 0.1)


def unroll(xs):
    h = torch.zeros(2, 4)
    for x in xs:
        h = cell(x, h)  # want: SP101
        yield h


for h in unroll(torch.randn(4, 2, 3)):
    opt.zero_grad()
    h.mean().backward()  # raises
    opt.step()
