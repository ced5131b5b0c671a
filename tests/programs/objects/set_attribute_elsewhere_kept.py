# The same without a reset
import torch
import torch.nn as nn


class Neuron:
    def __init__(self):
        vars(self)["states"] = {"v": 0.0}

    def __getattr__(self, name):
        try:
            return self.states[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self.states[name] = value


layer, neuron = nn.Linear(3, 4), Neuron()
for _ in range(3):
    neuron.v = torch.sigmoid(neuron.v + layer(torch.randn(2, 3)))  # want: SP101
    neuron.v.mean().backward()  # raises
    if hasattr(neuron, "reset"):
        neuron.v = 0.0
