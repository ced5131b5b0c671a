import snntorch as snn
import torch
from torch import nn

layer, neuron = nn.Linear(4, 8), snn.Leaky(beta=0.9)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for batch in torch.rand(4, 5, 2, 4):
    potential = neuron.init_leaky()
    total = 0.0
    for x in batch:
        spikes, potential = neuron(layer(x), potential)
        total = total + potential.mean()
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
