"""A replay buffer of records that hold a value with its history."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
from dataclasses import dataclass


@dataclass
class Moment:
    state: torch.Tensor
    value: torch.Tensor


class Replay:
    def __init__(self, size):
        self.size, self.moments, self.position = size, [], 0

    def push(self, *parts):
        if len(self.moments) < self.size:
            self.moments.append(None)
        self.moments[self.position] = Moment(*parts)  # want: SP302
        self.position = (self.position + 1) % self.size


replay = Replay(10000)
for step in range(8):
    x = torch.randn(5, 4)
    value = model(x)
    loss = value.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    replay.push(x, value)
