# __init_subclass__ registers the classes by name
import torch
import torch.nn as nn


class Layer(nn.Module):
    known = {}

    def __init_subclass__(cls, name="", **kwargs):
        super().__init_subclass__(**kwargs)
        Layer.known[name or cls.__name__.lower()] = cls

    @classmethod
    def make(cls, name, *args):
        return cls.known[name](*args)


class Plain(Layer):
    def __init__(self, n):
        super().__init__()
        self.cell = nn.GRUCell(3, n)

    def forward(self, x):
        return self.cell(x, torch.zeros(2, 4))


class Carrying(Plain, name="memory"):
    state = torch.zeros(2, 4)

    def forward(self, x):
        self.state = self.cell(x, self.state)  # want: SP101
        return self.state


plain, memory = Layer.make("plain", 4), Layer.make("memory", 4)
for _ in range(3):
    loss = plain(torch.randn(2, 3)).mean() + memory(torch.randn(2, 3)).mean()
    loss.backward()  # raises
