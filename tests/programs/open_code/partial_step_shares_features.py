import functools
import torch
from torch import nn
body, heads = nn.Linear(4, 8), nn.ModuleList([nn.Linear(8, 1), nn.Linear(8, 2)])
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], 0.1)


def head_step(head, features, target):
    loss = (head(features) - target).pow(2).mean()  # want: SP103
    loss.backward()  # raises
    return loss.item()


steps = [functools.partial(head_step, head) for head in heads]
for x in torch.randn(3, 5, 4):
    features = torch.tanh(body(x))
    opt.zero_grad()
    for step in steps:
        step(features, 0.5)
    opt.step()
