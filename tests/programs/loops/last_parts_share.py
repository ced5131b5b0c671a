import torch
from torch import nn


class Walkers:
    def __init__(self):
        self.lone = [nn.Linear(3, 1) for _ in range(5)]
        self.body, self.pair = nn.Linear(3, 4), [nn.Linear(4, 1), nn.Linear(4, 1)]

    def __iter__(self):
        x = torch.randn(5, 3)
        for net in self.lone:
            yield net(x)
        shared = self.body(x).tanh()
        for net in self.pair:
            yield net(shared)  # want: SP103


for loss in [out.pow(2).mean() for out in Walkers()]:
    loss.backward()  # raises
