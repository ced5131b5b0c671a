import functools
import torch
from torch import nn
body, heads = nn.Linear(4, 8), nn.ModuleList([nn.Linear(8, 1), nn.Linear(8, 2)])
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], 0.1)


def head_loss(head, features, target):
    return (head(features) - target).pow(2).mean()


losses = [functools.partial(head_loss, head) for head in heads]
for x in torch.randn(3, 5, 4):
    features = torch.tanh(body(x))
    opt.zero_grad()
    sum(loss(features, 0.5) for loss in losses).backward()
    opt.step()
