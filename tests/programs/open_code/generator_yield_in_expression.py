import torch
from torch import nn
cell = nn.GRUCell(3, 4)


def losses(xs):
    h = torch.zeros(2, 4)
    for x in xs:
        h = cell(x, h)  # want: SP101
        kept = [h, (yield h.mean())]
        h = kept[0]


for loss in losses(torch.randn(4, 2, 3)):
    loss.backward()  # raises
