# A memoised function is asked anew each time its memo is cleared
from functools import lru_cache

import torch
import torch.nn as nn

encoder = nn.Linear(3, 4)
x = torch.randn(2, 3)


class Model:
    @lru_cache
    def features(self, scale):
        return encoder(x * scale).tanh()


model = Model()
for _ in range(3):
    (model.features(1).mean() + model.features(2).mean() + model.features(1).sum()).backward()
    Model.features.cache_clear()
