# dict.update does not ask an own __setitem__
import torch
import torch.nn as nn


class Memory(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value.detach())


cell = nn.GRUCell(3, 4)
memory = Memory(state=torch.zeros(2, 4))
for _ in range(3):
    state = cell(torch.randn(2, 3), memory["state"])  # want: SP101
    memory.update(state=state)
    state.mean().backward()  # raises
