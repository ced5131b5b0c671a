# A class is found by its name among the globals
import argparse

import torch
import torch.nn as nn


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.state = nn.GRU(3, 4), None

    def forward(self, x):
        return self.rnn(x)[0]


class Carrying(Plain):
    def forward(self, x):
        out, self.state = self.rnn(x, self.state)  # want: SP101
        return out


parser = argparse.ArgumentParser()
parser.add_argument("--net", default="carrying")
args = parser.parse_known_args()[0]
model = globals()[args.net.capitalize()]()
for _ in range(3):
    model(torch.randn(5, 2, 3)).mean().backward()  # raises
