import torch
from spikingjelly.activation_based import functional, layer, neuron
from torch import nn

net = nn.Sequential(layer.Linear(4, 4), neuron.LIFNode())
functional.reset_net(net)
net.append(nn.Sequential(layer.Linear(4, 4), neuron.LIFNode()))
for x in torch.rand(4, 2, 4):
    out = net(x)  # want: SP101
    out.mean().backward()  # raises
    functional.reset_net(net)
