import torch
from torch import nn


def refine(optimizer, net, x, y):
    guess = net(x).tanh()

    def closure():
        optimizer.zero_grad()
        loss = (guess - y).pow(2).mean()  # want: SP103
        loss.backward()  # raises
        return loss

    for _ in range(3):
        optimizer.step(closure)


def refine_anew(optimizer, net, x, y):
    def closure():
        optimizer.zero_grad()
        loss = (net(x).tanh() - y).pow(2).mean()
        loss.backward()
        return loss

    for _ in range(3):
        optimizer.step(closure)


# --- driver
net = nn.Linear(3, 1)
given = (torch.optim.SGD(net.parameters(), 0.1), net, torch.randn(5, 3), torch.randn(5, 1))
refine_anew(*given)
refine(*given)
