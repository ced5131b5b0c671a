"""A module computes its weights once a walk: a hook on its backward says that they are to be made anew."""

import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, hooked):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(3))
        self.stale = True
        self.make()

        def walked(module, grad_input, grad_output):
            module.stale = True

        if hooked:
            self.register_full_backward_hook(walked)

    def make(self):
        if self.stale:
            self.stale = False
            self.weights = torch.exp(self.scale)

    def forward(self, x):
        self.make()
        return x * self.weights  # want: SP103


x = torch.ones(3, requires_grad=True)
field = Field(hooked=True)
for _ in range(3):
    field(x).sum().backward()

field = Field(hooked=False)
for _ in range(3):
    field(x).sum().backward()  # raises
