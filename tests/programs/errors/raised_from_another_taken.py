# The error made of it is taken outside: nothing surfaces
import torch
import torch.nn as nn

cell, head = nn.GRUCell(3, 4), nn.Linear(4, 1)


class Stopped(Exception):
    pass


def train():
    state = torch.zeros(2, 4)
    for _ in range(3):
        state = cell(torch.randn(2, 3), state)
        try:
            head(state).mean().backward()
        except RuntimeError as error:
            raise Stopped("training") from error


try:
    train()
except Stopped as stopped:
    print("stopped", stopped)
