from collections import namedtuple

import torch
from torch import nn
from torch.utils.data import RandomSampler

Output = namedtuple(typename="Output", field_names=["value", "spare"])


class Neuron(nn.Module):
    def __init__(self, learn):
        super().__init__()
        self.register_buffer("decay", torch.tensor(0.9))
        if learn:
            del self.decay
            self.decay = nn.Parameter(torch.tensor(0.9))

    def __setattr__(self, name, value):
        super(nn.Module, self).__setattr__(name, value) if name == "plain" else super().__setattr__(name, value)

    def forward(self, x):
        return Output(value=(x * self.decay).tanh(), spare=None)


names = [name for name in dir(Output) if name in ("spare", "value")]
Again = namedtuple("Again", sorted(names, key=len))
print("abcdef"[: len(dir(nn))], "abcdef"[:: int(torch.ones(1).item())], Again(1, 2))
neuron = Neuron(learn=True)
order = RandomSampler(range(len(list(neuron.parameters())) * 4))
try:
    for i in order:
        loss = neuron(torch.ones(3) * i).value.sum()
        loss.backward()
except KeyboardInterrupt:
    print("stopped")
