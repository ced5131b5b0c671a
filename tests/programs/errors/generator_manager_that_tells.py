# A context manager written as a generator that only cleans up
from contextlib import contextmanager

import torch
import torch.nn as nn

cell = nn.GRUCell(3, 4)


@contextmanager
def timed():
    print("begin")
    try:
        yield
    finally:
        print("end")


state = torch.zeros(2, 4)
for _ in range(3):
    state = cell(torch.randn(2, 3), state)  # want: SP101
    with timed():
        state.mean().backward()  # raises
