# One of them does not cut
# judge: verdict only
import random

import torch
import torch.nn as nn

random.seed(0)
WAYS = {"cut": lambda s: s.detach(), "reset": torch.zeros_like, "keep": lambda s: s}
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
for _ in range(60):
    state = cell(torch.randn(2, 3), WAYS[random.choice(sorted(WAYS))](state))
    state.mean().backward()  # raises
