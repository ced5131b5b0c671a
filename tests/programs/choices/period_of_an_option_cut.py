# The same, cut at each of its ends
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--every", type=int, default=1)
args = parser.parse_known_args()[0]
cell = nn.GRUCell(3, 4)
state, total = torch.zeros(2, 4), 0
for step in range(40):
    state = cell(torch.randn(2, 3), state)
    total = total + state.mean()
    if (step + 1) % args.every == 0:
        total.backward()
        total, state = 0, state.detach()
