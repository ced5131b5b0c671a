# An option is compared in several places: it is the same everywhere
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--mode", default="online", choices=["online", "epoch", "none"])
mode = parser.parse_known_args()[0].mode.lower()
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
total = 0
for _ in range(3):
    state = cell(torch.randn(2, 3), state)
    if mode in ("epoch", "none"):
        total = total + state.mean()
    else:
        state.mean().backward()
    if mode == "online":
        state = state.detach()
if mode != "online":
    total.backward()
