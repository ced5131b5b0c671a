# A cache that derives from OrderedDict and forgets the eldest
from collections import OrderedDict

import torch
import torch.nn as nn


class Cache(OrderedDict):
    def put(self, key, value):
        self[key] = value
        self.move_to_end(key)
        while len(self) > 2:
            self.popitem(last=False)


model = nn.Linear(3, 1)
cache = Cache()
for step in range(4):
    loss = model(torch.randn(4, 3)).pow(2).mean()
    loss.backward()
    cache.put(step, loss.detach())
    print(float(sum(cache.values())))
