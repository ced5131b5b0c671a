"""A cell unrolled by hand, as its documentation does."""

import torch
from torch import nn

cell = nn.RNNCell(4, 8)
x, h = torch.randn(6, 3, 4), torch.zeros(3, 8)
outputs = []
for i in range(6):
    h = cell(x[i], h)
    outputs.append(h)
print(torch.stack(outputs).shape)
