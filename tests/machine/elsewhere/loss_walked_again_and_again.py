import torch
from torch import nn


def squeeze(loss, parameters):
    for _ in range(3):
        loss.backward()  # want: SP102  # raises


def each(losses):
    for loss in losses:
        loss.backward()


def keep(loss, parameters):
    for _ in range(3):
        loss.backward(retain_graph=True)


def layers(layer, xs):
    for x in xs:
        layer.forward(x)
        layer.backward(x)


# --- driver
class Layer:
    def forward(self, x):
        self.x = x

    def backward(self, x):
        self.x = None


net = nn.Linear(3, 1)
each([net(x).pow(2).mean() for x in torch.randn(3, 5, 3)])
layers(Layer(), torch.randn(3, 2))
keep(net(torch.randn(5, 3)).pow(2).mean(), net.parameters())
squeeze(net(torch.randn(5, 3)).pow(2).mean(), net.parameters())
