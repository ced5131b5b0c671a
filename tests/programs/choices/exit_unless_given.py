# The program ends early only if an option is given
import argparse
import sys

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--checkpoint", default=None)
parser.add_argument("--only-test", action="store_true")
args = parser.parse_args([])
cell = nn.GRUCell(3, 4)
if args.checkpoint is not None:
    cell.load_state_dict(torch.load(args.checkpoint))
if args.only_test:
    print(cell(torch.randn(2, 3)))
    sys.exit()
state = torch.zeros(2, 4)
for _ in range(3):
    state = cell(torch.randn(2, 3), state)  # want: SP101
    state.mean().backward()  # raises
