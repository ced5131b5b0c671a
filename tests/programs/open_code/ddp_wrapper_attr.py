import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


class Mem(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.h = torch.zeros(2, 4)

    def detach_state(self):
        self.h = self.h.detach()

    def forward(self, x):
        self.h = self.cell(x, self.h)
        return self.h


net = Wrapper(Mem())
opt = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.randn(4, 2, 3):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
    net.detach_state()
