# What is written into vars() is an attribute
import torch
import torch.nn as nn


class Holder:
    pass


cell = nn.GRUCell(3, 4)
holder = Holder()
holder.state = torch.zeros(2, 4)
names = vars(holder)
for _ in range(3):
    holder.state = cell(torch.randn(2, 3), holder.state)
    holder.state.mean().backward()
    for name, value in list(names.items()):
        names[name] = value.detach()
