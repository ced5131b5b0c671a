# The update of a MutableMapping does ask it
from collections.abc import MutableMapping

import torch
import torch.nn as nn


class Memory(MutableMapping):
    def __init__(self, *args, **kwargs):
        self.entries = {}
        self.update(*args, **kwargs)

    def __getitem__(self, key):
        return self.entries[key]

    def __setitem__(self, key, value):
        self.entries[key] = value.detach()

    def __delitem__(self, key):
        del self.entries[key]

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)


cell = nn.GRUCell(3, 4)
memory = Memory(state=torch.zeros(2, 4))
for _ in range(3):
    state = cell(torch.randn(2, 3), memory.get("state"))
    memory.update({"state": state})
    state.mean().backward()
    assert "state" in memory and len(memory) == 1 and all(not s.requires_grad for s in memory.values())
