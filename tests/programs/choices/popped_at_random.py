# Each loss is taken out of the list when it is walked
import random

import torch
import torch.nn as nn

random.seed(0)
model = nn.Linear(3, 1)
losses = [model(torch.randn(2, 3)).pow(2).mean() for _ in range(4)]
while losses:
    losses.pop(random.randrange(len(losses))).backward()
