# A dict with attributes: what is put in as an attribute is read as an entry
import torch
import torch.nn as nn


class Memory(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


cell = nn.GRUCell(3, 4)
memory = Memory(state=torch.zeros(2, 4))
for _ in range(3):
    memory.state = cell(torch.randn(2, 3), memory["state"])  # want: SP101
    memory.state.mean().backward()  # raises
