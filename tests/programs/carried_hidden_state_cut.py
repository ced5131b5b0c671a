"""Truncated: the state is cut where a iteration ends, the pair of an LSTM in both its members."""
import torch
from torch import nn

torch.manual_seed(0)


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(part) for part in state)


lstm = nn.LSTM(3, 5)
head = nn.Linear(5, 2)
optimizer = torch.optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
state = (torch.zeros(1, 1, 5), torch.zeros(1, 1, 5))
for step in range(3):
    out, state = lstm(torch.randn(4, 1, 3), state)
    loss = head(out[-1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    state = repackage(state)
