import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)


class Mem(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.h = torch.zeros(2, 4)

    def forward(self, x):
        self.h = self.cell(x, self.h)  # want: SP101
        return self.h


net = Wrapper(Mem())
opt = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.randn(4, 2, 3):
    opt.zero_grad()
    net(x).mean().backward()  # raises
    opt.step()
    net.h = net.module.h.detach()
