import torch
from torch import nn
from torch.func import functional_call
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())


def adapt(params, x, y):
    loss = (functional_call(net, params, (x,)) - y).pow(2).mean()
    grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
    return {n: p - 0.1 * g for (n, p), g in zip(params.items(), grads)}


for it in range(3):
    meta = 0.0
    for task in range(2):
        x, y = torch.randn(5, 1), torch.randn(5, 1)
        params = dict(net.named_parameters())
        for _ in range(2):
            params = adapt(params, x, y)
        meta = meta + (functional_call(net, params, (x,)) - y).pow(2).mean()
    opt.zero_grad()
    meta.backward()
    opt.step()
