import torch
from torch import nn
w = torch.ones(3, requires_grad=True)


def trainer():
    while (loss := (yield)) is not None:
        loss.backward()


t = trainer()
next(t)
for _ in range(3):
    t.send((w * w).sum())
