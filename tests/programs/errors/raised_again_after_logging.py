# Logged and raised again: the failure surfaces
import logging

import torch
import torch.nn as nn

cell, head = nn.GRUCell(3, 4), nn.Linear(4, 1)


def train():
    state = torch.zeros(2, 4)
    for _ in range(3):
        state = cell(torch.randn(2, 3), state)  # want: SP101
        head(state).mean().backward()  # raises


try:
    train()
except Exception:
    logging.exception("stopped")
    raise
