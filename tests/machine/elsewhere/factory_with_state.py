import torch
from torch import nn


def make_stepper(cell, readout, lr=0.1):
    opt = torch.optim.SGD([*cell.parameters(), *readout.parameters()], lr)
    state = None

    def step(x, y):
        nonlocal state
        state = cell(x, state)  # want: SP101
        loss = (readout(state) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()  # raises
        opt.step()
        return loss.item()

    return step


# --- driver
step = make_stepper(nn.GRUCell(2, 3), nn.Linear(3, 1))
for _ in range(3):
    step(torch.randn(4, 2), torch.randn(4, 1))
