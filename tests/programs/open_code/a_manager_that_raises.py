"""`raises` of an object that is no test's: the error is nobody's to expect."""

import contextlib

import torch
from torch import nn


class Dice:
    @contextlib.contextmanager
    def raises(self, times):
        yield times


net = nn.Linear(3, 2)
loss = net(torch.randn(4, 3)).pow(2).mean()
loss.backward()
with Dice().raises(1):
    loss.backward()  # want: SP102  # raises
