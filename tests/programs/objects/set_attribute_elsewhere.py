# __setattr__ and __getattr__ keep states in a table that reset empties
import torch
import torch.nn as nn


class Neuron(nn.Module):
    def __init__(self):
        super().__init__()
        self.__dict__["_states"] = {}

    def keep(self, name, start):
        self._states[name] = start

    def __getattr__(self, name):
        states = self.__dict__.get("_states", {})
        return states[name] if name in states else super().__getattr__(name)

    def __setattr__(self, name, value):
        if name in self.__dict__.get("_states", {}):
            self._states[name] = value
        else:
            super().__setattr__(name, value)

    def forward(self, x):
        self.v = torch.sigmoid(self.v + x)
        return self.v


layer, neuron = nn.Linear(3, 4), Neuron()
neuron.keep("v", 0.0)
for _ in range(3):
    neuron(layer(torch.randn(2, 3))).mean().backward()
    for name in neuron._states:
        neuron._states[name] = 0.0
