"""Momentum of gradients that have a history."""

import torch

weight = torch.randn(4, 2, requires_grad=True)
velocity = torch.zeros(4, 2)
for x in torch.randn(6, 5, 4):
    loss = (x @ weight).tanh().pow(2).sum()
    (gradient,) = torch.autograd.grad(loss, [weight], create_graph=True)
    velocity = 0.9 * velocity + gradient  # want: SP301
    with torch.no_grad():
        weight -= 0.01 * velocity
