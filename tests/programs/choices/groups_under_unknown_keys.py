# A dict that is filled under keys of the data has more than one entry
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn

groups = defaultdict(list)
for number, key in enumerate(np.random.RandomState(0).randint(0, 3, 20)):
    groups[key].append(number)
cell = nn.GRUCell(3, 4)
state = torch.zeros(2, 4)
for key, numbers in groups.items():
    state = cell(torch.randn(2, 3), state)  # want: SP101
    state.mean().backward()  # raises
