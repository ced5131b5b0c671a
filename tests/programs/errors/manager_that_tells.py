# An __exit__ that only looks at the error lets it go on
import torch
import torch.nn as nn

cell = nn.GRUCell(3, 4)


class Telling:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            print("failed", error)


state = torch.zeros(2, 4)
for _ in range(3):
    state = cell(torch.randn(2, 3), state)  # want: SP101
    with Telling():
        state.mean().backward()  # raises
