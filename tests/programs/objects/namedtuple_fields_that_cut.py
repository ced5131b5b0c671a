# The cut is called through a field of a namedtuple
from collections import namedtuple

import torch
import torch.nn as nn

Parts = namedtuple("Parts", "cell cut")
parts = Parts(nn.GRUCell(3, 4), cut=torch.Tensor.detach)
state = torch.zeros(2, 4)
for _ in range(3):
    state = parts.cell(torch.randn(2, 3), parts.cut(state))
    state.pow(2).mean().backward()
