# The state is an option that is not given: a fresh one is made each time
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--state")
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("names", nargs="*")
args = parser.parse_known_args()[0]
cell = nn.GRUCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
for epoch in range(args.epochs + 1):
    state = torch.load(args.state) if args.state else torch.zeros(2, 4)
    for step in range(4):
        state = cell(torch.randn(2, 3), state)
        if (step + 1) % 4 == 0:
            (state.mean() / args.accumulate).backward()
            if (step + 1) % args.accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
