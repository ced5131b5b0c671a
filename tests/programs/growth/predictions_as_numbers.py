"""Inference of which numbers are kept."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
predictions = []
for x in torch.randn(20, 5, 4):
    predictions.append(model(x).mean().item())
print(sum(predictions))
