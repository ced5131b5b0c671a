import torch
from torch import nn
w = torch.ones(3, requires_grad=True)


def trainer():
    total = 0.0
    while (loss := (yield)) is not None:
        total = total + loss  # want: SP104
        total.backward()  # raises


t = trainer()
next(t)
for _ in range(3):
    t.send((w * w).sum())
