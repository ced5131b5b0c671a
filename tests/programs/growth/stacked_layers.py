"""Layers on top of each other, looked at and not trained."""

import torch
from torch import nn

h = torch.randn(5, 8)
layer = nn.Linear(8, 8)
shapes = []
for depth in range(6):
    h = torch.relu(layer(h))
    shapes.append(h.shape)
print(shapes, h.mean())
