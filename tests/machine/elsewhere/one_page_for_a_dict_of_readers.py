import torch
from torch import nn
from torch.nn import functional as F


def read(encoder, nets, page, marks, optimizer):
    optimizer.zero_grad()
    strokes = encoder(page)
    for net, mark in zip(nets.values(), marks, strict=True):
        F.mse_loss(net(strokes), mark).backward()  # want: SP103  # raises
    optimizer.step()


def read_together(encoder, nets, page, marks, optimizer):
    optimizer.zero_grad()
    strokes = encoder(page)
    loss = sum(F.mse_loss(net(strokes), marks[name]) for name, net in nets.items())
    loss.backward()
    optimizer.step()


# --- driver
encoder, nets = nn.Linear(3, 4), {"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)}
optimizer = torch.optim.SGD(encoder.parameters(), 0.1)
read_together(encoder, nets, torch.randn(5, 3), {"a": torch.ones(5, 1), "b": torch.ones(5, 1)}, optimizer)
read(encoder, nets, torch.randn(5, 3), torch.ones(2, 5, 1), optimizer)
