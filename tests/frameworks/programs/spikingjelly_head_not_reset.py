import torch
from spikingjelly.activation_based import functional, layer, neuron
from torch import nn

body = nn.Sequential(layer.Linear(4, 8), neuron.LIFNode())
head = nn.Sequential(layer.Linear(8, 2), neuron.LIFNode())
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for x in torch.rand(4, 2, 4):
    out = head(body(x))  # want: SP101
    optimizer.zero_grad()
    out.mean().backward()  # raises
    optimizer.step()
    functional.reset_net(body)
