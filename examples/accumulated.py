"""A running loss is walked in every step, together with the losses of the steps before, which are walked already."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total_loss = 0.0

for step in range(3):
    inputs, targets = torch.randn(16, 4), torch.randn(16, 1)
    total_loss = total_loss + torch.nn.functional.mse_loss(model(inputs), targets)

    optimizer.zero_grad()
    total_loss.backward()
    optimizer.step()
