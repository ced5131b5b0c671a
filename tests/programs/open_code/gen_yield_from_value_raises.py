import torch
from torch import nn
cell = nn.GRUCell(3, 4)


def inner(h, xs):
    for x in xs:
        h = cell(x, h)  # want: SP101
        yield h.mean()
    return h


def outer():
    h = torch.zeros(2, 4)
    for xs in torch.randn(3, 2, 2, 3):
        h = yield from inner(h, xs)


total = 0.0
for i, loss in enumerate(outer()):
    total = total + loss
    if i % 2 == 1:
        total.backward()  # raises
        total = 0.0
