# The same where the default cuts
# judge: verdict only
import os

import torch
import torch.nn as nn

CUT = os.environ.get("SECONDPASS_TEST_CUT", "1") != "0"
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
for _ in range(3):
    state = cell(torch.randn(2, 3), state.detach() if CUT else state)
    state.mean().backward()
