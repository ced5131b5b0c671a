import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proto = nn.Linear(3, 4)
        self.anchor = torch.randn(5, 3)

    @property
    def anchors(self):
        return torch.tanh(self.proto(self.anchor))

    def forward(self, x):
        return torch.tanh(self.proto(x)) @ self.anchors.t()


net = Net()
opt = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.randn(3, 2, 3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
