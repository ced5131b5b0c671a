import torch
from spikingjelly.activation_based import functional, layer, neuron
from torch import nn

net = nn.Sequential(layer.Linear(4, 8), neuron.LIFNode(), layer.Linear(8, 2), neuron.IFNode())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in torch.rand(4, 3, 2, 4):
    out = sum(net(x) for x in batch)
    functional.reset_net(net)
    optimizer.zero_grad()
    out.mean().backward()
    optimizer.step()
