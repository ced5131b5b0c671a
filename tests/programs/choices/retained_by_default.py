# Whether the graph is kept is an option, off by default
import argparse

import torch
import torch.nn as nn


def options():
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group("training")
    group.add_argument("--retain", action="store_true")
    group.add_argument("-n", "--steps", type=int, default=3)
    return parser.parse_known_args()[0]


def train(args):
    encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
    features = encoder(torch.randn(2, 3)).tanh()
    for _ in range(args.steps):
        head(features).mean().backward(retain_graph=args.retain)  # raises  # want: SP103


train(options())
