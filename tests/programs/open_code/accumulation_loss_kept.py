import torch
from torch import nn
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), 0.1)
k, total = 4, 0.0
for i, x in enumerate(torch.randn(12, 2, 3), 1):
    total = total + net(x).pow(2).mean() / k  # want: SP104
    if i % k == 0:
        total.backward()  # raises
        opt.step()
        opt.zero_grad()
