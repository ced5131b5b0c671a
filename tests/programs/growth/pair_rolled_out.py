"""A pair of states is rolled out, and dropped."""

import torch
from torch import nn

cell = nn.LSTMCell(4, 8)


def roll_out(steps):
    h, c = torch.zeros(3, 8), torch.zeros(3, 8)
    seen = []
    for _ in range(steps):
        h, c = cell(torch.randn(3, 4), (h, c))  # want: SP301
        seen.append(h.norm().item())
    return seen


print(roll_out(50)[-1])
