# A generator that asks itself, over what is not known, ends there and not the file
import json

import torch
import torch.nn as nn


def leaves(tree):
    for value in tree.values():
        if isinstance(value, dict):
            yield from leaves(value)
        else:
            yield value


def depth(tree):
    return 1 + max([depth(part) for part in tree.values() if isinstance(part, dict)], default=0)


settings = json.loads(json.dumps({"rate": 0.1, "sizes": {"in": 3, "out": 4}}))
print(sum(1 for _ in leaves(settings)), depth(settings))
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
for _ in range(3):
    state = cell(torch.randn(2, 3), state)  # want: SP101
    state.mean().backward()  # raises
