import snntorch as snn
import torch
from snntorch import utils
from torch import nn

block = nn.Sequential(nn.Linear(4, 8), snn.Leaky(beta=0.9, init_hidden=True))
net = nn.Sequential(block, nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.rand(4, 2, 4):
    utils.reset(net)
    out = net(x)  # want: SP101
    optimizer.zero_grad()
    out.mean().backward()  # raises
    optimizer.step()
