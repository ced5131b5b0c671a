import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Tanh())

    def forward(self, x):
        if torch.cuda.device_count() > 4:
            return nn.parallel.data_parallel(self.body, x, range(5))
        return self.body(x)


net = Net()
unseen = sys.modules["torch"].ones(1, requires_grad=True)
try:
    seen = net(torch.ones(2, 4))
    for _ in range(3):
        (unseen * 2).sum().backward()
        loss = seen.sum()  # want: SP103
        loss.backward()  # raises
except KeyboardInterrupt:
    print("stopped")
