# Two memories by a name from the data, both read by each step
# judge: verdict only
import random

import torch
import torch.nn as nn

random.seed(0)
cell, head = nn.GRUCell(3, 4), nn.Linear(8, 1)
memory = {"left": torch.zeros(2, 4), "right": torch.zeros(2, 4)}
for _ in range(12):
    side = random.choice(["left", "right"])
    memory[side] = cell(torch.randn(2, 3), memory[side])
    head(torch.cat([memory["left"], memory["right"]], 1)).mean().backward()  # raises
