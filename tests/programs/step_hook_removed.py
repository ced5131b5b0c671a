# A hook that runs after each step and is removed again: from then on nothing cuts the state
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.state = torch.zeros(2, 4)

    def forward(self, x):
        self.state = self.cell(x, self.state)  # want: SP101
        return self.state

    def cut(self, optimizer, args, kwargs):
        self.state = self.state.detach()


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
handle = optimizer.register_step_post_hook(net.cut)
for part in range(2):
    for x in torch.randn(3, 2, 3):
        optimizer.zero_grad()
        net(x).sum().backward()  # raises
        optimizer.step()
    handle.remove()
