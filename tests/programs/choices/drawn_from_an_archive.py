# Drawn at random from a list to which each step adds what the model made
# judge: verdict only
import random

import torch
import torch.nn as nn

random.seed(1)
model = nn.Linear(3, 3)
archive = [torch.randn(3)]
for _ in range(30):
    made = model(archive[random.randrange(len(archive))]).tanh()
    made.sum().backward()  # raises
    archive.append(made)
