import torch
from spikingjelly.activation_based import functional, layer, neuron
from torch import nn

net = nn.Sequential(layer.Linear(4, 8), neuron.LIFNode(), layer.Linear(8, 2))
for batch in torch.rand(4, 2, 2, 4):
    one = net(batch[0])
    other = net(batch[1])  # want: SP105
    one.mean().backward()
    other.mean().backward()  # raises
    functional.reset_net(net)
