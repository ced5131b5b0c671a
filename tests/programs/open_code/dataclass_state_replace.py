import dataclasses
import torch
from torch import nn


@dataclasses.dataclass
class State:
    h: torch.Tensor
    steps: int = 0


cell = nn.GRUCell(3, 4)
opt = torch.optim.SGD(cell.parameters(), 0.1)


def advance(state, x):
    return dataclasses.replace(state, h=cell(x, state.h), steps=state.steps + 1)  # want: SP101


state = State(torch.zeros(2, 4))
for x in torch.randn(4, 2, 3):
    state = advance(state, x)
    opt.zero_grad()
    state.h.mean().backward()  # raises
    opt.step()
