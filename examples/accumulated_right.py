"""Each step walks its own loss; the running sum, kept for the report, holds numbers and no graphs."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total_loss = 0.0

for step in range(3):
    inputs, targets = torch.randn(16, 4), torch.randn(16, 1)
    loss = torch.nn.functional.mse_loss(model(inputs), targets)
    total_loss = total_loss + loss.item()

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
