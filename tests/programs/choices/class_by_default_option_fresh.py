# The same with a default that keeps no state: that the other does is told quietly
# judge: verdict only
import argparse

import torch
import torch.nn as nn


class Fresh(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.state = nn.GRU(3, 4), None

    def forward(self, x):
        return self.rnn(x)[0]


class Carrying(Fresh):
    def forward(self, x):
        out, self.state = self.rnn(x, self.state)
        return out


MODELS = {"fresh": Fresh, "carrying": Carrying}
parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=sorted(MODELS), default="fresh")
args, rest = parser.parse_known_args()
model = MODELS[args.model]()
for _ in range(3):
    model(torch.randn(5, 2, 3)).mean().backward()
