# The optimizer is taken by its name; the right cut is made
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="AdamW")
parser.add_argument("--lr", type=float, default=1e-3)
args = vars(parser.parse_known_args()[0])
cell = nn.GRUCell(3, 4)
optimizer = getattr(torch.optim, args["optimizer"])(cell.parameters(), lr=args["lr"])
state = torch.zeros(2, 4)
for _ in range(3):
    optimizer.zero_grad()
    state = cell(torch.randn(2, 3), state.detach())
    state.mean().backward()
    optimizer.step()
