# A flag that switches the cut off, which is on by default
# judge: verdict only
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cut", dest="cut", action="store_false")
parser.add_argument("--steps", type=int, default=3)
args, _ = parser.parse_known_args()
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
for _ in range(args.steps):
    state = cell(torch.randn(2, 3), state.detach() if args.cut else state)
    state.mean().backward()
