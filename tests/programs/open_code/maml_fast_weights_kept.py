import torch
from torch import nn
from torch.func import functional_call
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
fast = {n: p for n, p in net.named_parameters()}
for it in range(3):
    x, y = torch.randn(5, 1), torch.randn(5, 1)
    loss = (functional_call(net, fast, (x,)) - y).pow(2).mean()
    grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
    fast = {n: p - 0.1 * g for (n, p), g in zip(fast.items(), grads)}  # want: SP101
    outer = (functional_call(net, fast, (x,)) - y).pow(2).mean()
    opt.zero_grad()
    outer.backward()  # raises
    opt.step()
