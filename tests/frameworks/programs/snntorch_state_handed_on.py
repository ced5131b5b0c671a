import snntorch as snn
import torch
from torch import nn

layer, neuron = nn.Linear(4, 8), snn.Leaky(beta=0.9)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
potential = neuron.init_leaky()
for x in torch.rand(4, 2, 4):
    spikes, potential = neuron(layer(x), potential)  # want: SP101
    optimizer.zero_grad()
    potential.mean().backward()  # raises
    optimizer.step()
