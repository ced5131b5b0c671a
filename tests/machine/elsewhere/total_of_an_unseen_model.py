import torch
from torch import nn
from torch.nn import functional as F


def weigh(model, batches, optimizer):
    total = 0.0
    for x, y in batches:
        total = total + F.mse_loss(model(x), y)  # want: SP104
        optimizer.zero_grad()
        total.backward()  # raises
        optimizer.step()


def weigh_each(model, batches, optimizer):
    total = 0.0
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


# --- driver
net = nn.Linear(3, 1)
given = net, [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(3)], torch.optim.SGD(net.parameters(), 0.1)
weigh_each(*given)
weigh(*given)
