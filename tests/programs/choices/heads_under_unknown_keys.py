# Which head is used comes from the data: each is walked anew
import random

import torch
import torch.nn as nn

random.seed(0)
trunk = nn.Linear(3, 4)
heads = nn.ModuleDict({"cats": nn.Linear(4, 1), "dogs": nn.Linear(4, 1)})
rates = {"cats": 0.1, "dogs": 0.01}
optimizer = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], lr=0.1)
for _ in range(6):
    task = random.choice(list(heads))
    loss = heads[task](trunk(torch.randn(2, 3)).tanh()).mean() * rates[task]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
