# A memo of one entry: another argument pushes it out
from functools import lru_cache

import torch
import torch.nn as nn

encoder = nn.Linear(3, 4)


@lru_cache(maxsize=1)
def features(scale):
    return encoder(torch.ones(2, 3) * scale).tanh()


for step in range(4):
    features(step % 2).mean().backward()
