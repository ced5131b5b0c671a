# A dict whose own __setitem__ cuts what it is given
import torch
import torch.nn as nn


class Memory(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value.detach())

    def __missing__(self, key):
        return torch.zeros(2, 4)


cell = nn.GRUCell(3, 4)
memory = Memory()
for _ in range(3):
    state = cell(torch.randn(2, 3), memory["state"])
    memory["state"] = state
    state.mean().backward()
