# The fields of a namedtuple are called: a module, and a function that does not cut
from collections import namedtuple
from typing import NamedTuple

import torch
import torch.nn as nn

Parts = namedtuple("Parts", "cell cut")


class Pair(NamedTuple):
    parts: Parts
    head: nn.Module

    def loss(self, state):
        return self.head(state).pow(2).mean()


pair = Pair(Parts(nn.GRUCell(3, 4), lambda t: t.clone()), nn.Linear(4, 1))  # want: SP101
state = torch.zeros(2, 4)
for _ in range(3):
    state = pair.parts.cell(torch.randn(2, 3), pair.parts.cut(state))
    pair.loss(state).backward()  # raises
