import torch
from torch import nn
from torch.nn import functional as F


def make_stepper(cell, readout, lr=0.1):
    opt = torch.optim.SGD([*cell.parameters(), *readout.parameters()], lr)
    state = None

    def step(x, y):
        nonlocal state
        state = cell(x, state)
        loss = (readout(state) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        state = state.detach()
        return loss.item()

    return step


def make_closure(model, x, y):
    loss = F.mse_loss(model(x), y)

    def closure():
        loss.backward()
        return loss

    return closure


# --- driver
step = make_stepper(nn.GRUCell(2, 3), nn.Linear(3, 1))
for _ in range(3):
    step(torch.randn(4, 2), torch.randn(4, 1))
net = nn.Linear(2, 1)
for _ in range(2):
    torch.optim.SGD(net.parameters(), 0.1).step(make_closure(net, torch.randn(4, 2), torch.randn(4, 1)))
