# A layer is taken by the name that an option gives
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cell", type=str, default="GRU", choices=["RNN", "LSTM", "GRU"])
parser.add_argument("--act", default="tanh")
args = parser.parse_known_args()[0]
rnn = getattr(nn, args.cell)(3, 4)
state = None
for _ in range(3):
    out, state = rnn(torch.randn(5, 2, 3), state)  # want: SP101
    getattr(torch, args.act)(out).mean().backward()  # raises
