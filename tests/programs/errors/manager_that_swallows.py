# An __exit__ that returns True ends the error
import torch
import torch.nn as nn

cell = nn.GRUCell(3, 4)


class Tolerant:
    def __enter__(self):
        self.errors = 0
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.errors += 1
        return True


state = torch.zeros(2, 4)
for _ in range(3):
    state = cell(torch.randn(2, 3), state)
    with Tolerant():
        state.mean().backward()
