# A variable of the environment with a default
import os

import torch
import torch.nn as nn

STEPS = int(os.environ.get("SECONDPASS_TEST_STEPS", "3"))
CUT = os.getenv("SECONDPASS_TEST_CUT", "0") == "1"
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
for _ in range(STEPS):
    if CUT:
        state = state.detach()
    state = cell(torch.randn(2, 3), state)  # want: SP101
    state.mean().backward()  # raises
