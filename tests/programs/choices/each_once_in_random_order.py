# Losses over one trunk each, walked once in a random order
import random

import torch
import torch.nn as nn

random.seed(0)
model = nn.Linear(3, 1)
losses = [model(torch.randn(2, 3)).pow(2).mean() for _ in range(4)]
order = list(range(4))
random.shuffle(order)
for i in order:
    losses[i].backward()
for i in torch.randperm(4).tolist():
    losses[i] = model(torch.randn(2, 3)).pow(2).mean()
for i in torch.randperm(4).tolist():
    losses[i].backward()
for i in random.sample(range(4), 4):
    losses[i] = model(torch.randn(2, 3)).pow(2).mean()
for i in random.sample(range(4), k=4):
    losses[i].backward()
