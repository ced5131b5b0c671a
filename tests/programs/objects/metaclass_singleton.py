# A metaclass makes one instance only: both names are one state
import torch
import torch.nn as nn


class Single(type):
    def __init__(cls, name, bases, body):
        super().__init__(name, bases, body)
        cls.one = None

    def __call__(cls, *args, **kwargs):
        if cls.one is None:
            cls.one = super().__call__(*args, **kwargs)
        return cls.one


class Memory(metaclass=Single):
    def __init__(self):
        self.state = torch.zeros(2, 4)


cell = nn.GRUCell(3, 4)
for _ in range(3):
    Memory().state = cell(torch.randn(2, 3), Memory().state)  # want: SP101
    Memory().state.mean().backward()  # raises
