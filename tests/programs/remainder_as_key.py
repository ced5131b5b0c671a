"""A feature kept under `step % 2` comes round in the third iteration, and only then."""

import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Linear(6, 4)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
kept = {0: torch.zeros(4), 1: torch.zeros(4)}
for step in range(4):
    code = torch.tanh(encoder(torch.randn(10, 6)))
    loss = (code - kept[step % 2]).pow(2).mean()  # want: SP106
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()
    kept[step % 2] = code.mean(0)
