# Each subcommand sets the function that is run
import argparse
import sys

import torch
import torch.nn as nn


def train(args):
    cell = nn.GRUCell(3, 4)
    state = torch.zeros(2, 4)
    for _ in range(args.steps):
        state = cell(torch.randn(2, 3), state)  # want: SP101
        state.mean().backward()  # raises


def show(args):
    print(torch.__version__)


sys.argv = ["program", "train"]
parser = argparse.ArgumentParser()
commands = parser.add_subparsers(dest="command", required=True)
showing = commands.add_parser("show")
showing.set_defaults(run=show)
training = commands.add_parser("train")
training.add_argument("--steps", type=int, default=3)
training.set_defaults(run=train)
args = parser.parse_args()
args.run(args)
