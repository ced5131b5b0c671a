import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.h = torch.zeros(2, 4)

    def forward(self, x):
        self.h = self.cell(x, self.h)
        return self.h


net = Net()
fast = torch.compile(net, backend="eager")
opt = torch.optim.SGD(fast.parameters(), 0.1)
for x in torch.randn(4, 2, 3):
    opt.zero_grad()
    fast(x).mean().backward()
    opt.step()
    net.h = net.h.detach()
