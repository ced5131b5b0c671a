# The same with a state for each group
import numpy as np
import torch
import torch.nn as nn

groups = {}
for number, key in enumerate(np.random.RandomState(0).randint(0, 3, 20)):
    groups.setdefault(int(key), []).append(torch.randn(2, 3))
cell = nn.GRUCell(3, 4)
for key in groups:
    state = torch.zeros(2, 4)
    for x in groups[key]:
        state = cell(x, state)
    state.mean().backward()
