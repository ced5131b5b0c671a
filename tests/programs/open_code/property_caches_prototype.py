import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proto = nn.Linear(3, 4)
        self.anchor = torch.randn(5, 3)
        self._anchors = None

    @property
    def anchors(self):
        if self._anchors is None:
            self._anchors = torch.tanh(self.proto(self.anchor))
        return self._anchors

    def forward(self, x):
        return torch.tanh(self.proto(x)) @ self.anchors.t()  # want: SP106


net = Net()
opt = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.randn(3, 2, 3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # raises
    opt.step()
