import torch
from torch import nn


class Weigher:
    def __init__(self):
        self.first = None

    def __call__(self, losses):
        stacked = torch.stack(losses)
        if self.first is None:
            self.first = stacked
        total = (stacked / self.first).sum()  # want: SP101
        total.backward()  # raises
        return total.item()


# --- driver
net, weigh = nn.Linear(3, 2), Weigher()
for _ in range(3):
    out = net(torch.randn(4, 3)).pow(2).mean(0)
    weigh([out[0], out[1]])
