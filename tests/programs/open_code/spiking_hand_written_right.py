import torch
from torch import nn


class LIF(nn.Module):
    def __init__(self):
        super().__init__()
        self.beta = nn.Parameter(torch.tensor(0.9))
        self.mem = None

    def reset(self):
        self.mem = None

    def forward(self, x):
        self.mem = x if self.mem is None else self.beta * self.mem + x
        return torch.sigmoid(5 * (self.mem - 1))


class SNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 6), LIF(), nn.Linear(6, 2), LIF()])

    def reset(self):
        for module in self.modules():
            if module is not self and hasattr(module, "reset"):
                module.reset()

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = SNN()
opt = torch.optim.SGD(net.parameters(), 0.1)
for batch in torch.randn(3, 4, 2, 4):
    net.reset()
    out = sum(net(x) for x in batch)
    opt.zero_grad()
    out.mean().backward()
    opt.step()
