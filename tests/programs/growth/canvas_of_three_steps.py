"""A picture is put together in a few steps, and handed on."""

import torch
from torch import nn

decode = nn.Linear(4, 16)


def draw(n):
    canvas = torch.zeros(n, 16)
    for step in range(3):
        canvas = canvas + decode(torch.randn(n, 4)).sigmoid()
    return canvas


print(draw(5).shape)
