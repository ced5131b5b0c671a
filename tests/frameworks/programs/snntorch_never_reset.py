import snntorch as snn
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), snn.Leaky(beta=0.9, init_hidden=True, output=True))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.rand(4, 2, 4):
    spikes, potential = net(x)  # want: SP101
    optimizer.zero_grad()
    potential.mean().backward()  # raises
    optimizer.step()
