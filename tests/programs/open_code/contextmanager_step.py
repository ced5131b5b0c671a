import contextlib
import torch
from torch import nn


@contextlib.contextmanager
def optimise(opt):
    opt.zero_grad()
    losses = []
    yield losses
    for loss in losses:
        loss.backward()  # raises
    opt.step()


net, head = nn.Linear(3, 4), nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])
opt = torch.optim.SGD([*net.parameters(), *head.parameters()], 0.1)
for x in torch.randn(3, 5, 3):
    with optimise(opt) as losses:
        z = torch.tanh(net(x))
        losses.append(head[0](z).pow(2).mean())
        losses.append(head[1](z).abs().mean())  # want: SP103
