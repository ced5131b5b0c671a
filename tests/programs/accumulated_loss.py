"""A running loss is walked in every iteration, with the graphs of all iterations before."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
running = 0.0
for step in range(3):
    x = torch.randn(4, 3)
    running = running + model(x).pow(2).mean()  # want: SP104
    optimizer.zero_grad()
    running.backward()  # raises
    optimizer.step()
