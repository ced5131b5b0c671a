# A state is taken and put back at a random place of a list
# judge: verdict only
import random

import torch
import torch.nn as nn

random.seed(0)
cell = nn.GRUCell(3, 4)
states = [torch.zeros(2, 4) for _ in range(3)]
for _ in range(30):
    at = random.randint(0, 2)
    states[at] = cell(torch.randn(2, 3), states[at])
    states[at].mean().backward()  # raises
