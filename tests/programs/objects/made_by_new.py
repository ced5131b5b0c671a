# __new__ hands out one instance for each key
import torch
import torch.nn as nn


class Memory:
    made = {}

    def __new__(cls, key):
        if key not in cls.made:
            cls.made[key] = super().__new__(cls)
            cls.made[key].state = torch.zeros(2, 4)
        return cls.made[key]


cell = nn.GRUCell(3, 4)
for step in range(4):
    memory = Memory(step % 2)
    memory.state = cell(torch.randn(2, 3), memory.state)  # want: SP101
    memory.state.mean().backward()  # raises
