import torch
from spikingjelly.activation_based import functional, layer, neuron
from torch import nn

net = nn.Sequential(layer.Linear(4, 8), neuron.LIFNode(), layer.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in torch.rand(3, 5, 2, 4):
    for x in batch:
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
        functional.detach_net(net)
    functional.reset_net(net)
