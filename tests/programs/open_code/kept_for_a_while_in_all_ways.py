"""Losses that are looked at two at a time, in containers that are left for empty ones in every way."""

import torch
from torch import nn

net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step(x):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


class Book:
    def __init__(self):
        self.kept = []


book, table = Book(), {"kept": []}
first, second, third, fourth, fifth = [], [], [], [], []
for i, x in enumerate(torch.randn(20, 4, 3)):
    loss = step(x)
    first.append(loss)
    second.append(loss)
    third.append(loss)
    fourth.append(loss)
    fifth.append(loss)
    book.kept.append(loss)
    table["kept"].append(loss)
    if (i + 1) % 2 == 0:
        first = list()
        second, done = [], True
        third: list = []
        fourth = again = []
        fifth[:] = []
        book.kept = []
        table["kept"] = []
