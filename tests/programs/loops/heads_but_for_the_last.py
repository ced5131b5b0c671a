import torch
from torch import nn

body = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
heads = nn.ModuleList(nn.Linear(4, 1) for _ in range(5))
for _ in range(3):
    shared = body(torch.randn(5, 3))
    outs = [head(shared) for head in heads]
    for n, out in enumerate(outs):
        out.pow(2).mean().backward(retain_graph=n != len(outs) - 1)
