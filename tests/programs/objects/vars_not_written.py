# A copy of vars() is only a copy
import torch
import torch.nn as nn


class Holder:
    pass


cell = nn.GRUCell(3, 4)
holder = Holder()
holder.state = torch.zeros(2, 4)
for _ in range(3):
    holder.state = cell(torch.randn(2, 3), holder.state)  # want: SP101
    holder.state.mean().backward()  # raises
    names = dict(vars(holder))
    for name, value in list(names.items()):
        names[name] = value.detach()
