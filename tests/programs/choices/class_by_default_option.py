# Which class is made stands in a table, under an option's default
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
        out, self.state = self.rnn(x, self.state)  # want: SP101
        return out


MODELS = {"fresh": Fresh, "carrying": Carrying, "linear": lambda: nn.Linear(3, 4)}
parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=sorted(MODELS), default="carrying")
args, rest = parser.parse_known_args()
model = MODELS[args.model]()
for _ in range(3):
    model(torch.randn(5, 2, 3)).mean().backward()  # raises
