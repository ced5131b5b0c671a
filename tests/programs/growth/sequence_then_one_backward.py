"""States of one sequence, kept for its backward."""

import torch
from torch import nn

cell, head = nn.GRUCell(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
for sequence in torch.randn(4, 6, 3, 4):
    h, outputs, total = torch.zeros(3, 8), [], 0.0
    for x in sequence:
        h = cell(x, h)
        outputs.append(head(h))
        total = total + outputs[-1].pow(2).mean()
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
