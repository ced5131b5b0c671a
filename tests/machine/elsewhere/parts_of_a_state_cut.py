import torch
from torch import nn


def by_a_loop(rnn, batches, state):
    for x in batches:
        for part in state:
            part.detach_()
        y, state = rnn(x, state)
        y.pow(2).mean().backward()


def by_their_data(rnn, batches, state):
    for x in batches:
        state = tuple([part.data for part in state])
        y, state = rnn(x, state)
        y.pow(2).mean().backward()


def by_number(rnn, batches, state):
    for x in batches:
        y, state = rnn(x, state)
        y.pow(2).mean().backward()
        state[0].detach_()
        state[1].detach_()


# --- driver
cell = nn.LSTM(3, 4)
for run in (by_a_loop, by_their_data, by_number):
    run(cell, torch.randn(3, 2, 1, 3), (torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)))
