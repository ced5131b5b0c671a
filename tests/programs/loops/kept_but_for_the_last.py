import torch

body = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh())
heads = torch.nn.ModuleList(torch.nn.Linear(4, 1) for _ in range(7))
for _ in range(3):
    shared = body(torch.randn(5, 3))
    for i in range(len(heads)):
        heads[i](shared).pow(2).mean().backward(retain_graph=i < len(heads) - 1)
