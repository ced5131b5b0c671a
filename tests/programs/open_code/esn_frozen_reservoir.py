import torch
from torch import nn


class Reservoir(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", torch.randn(6, 6) * 0.1)
        self.win = nn.Linear(3, 6)
        self.state = None

    def forward(self, u):
        s = torch.zeros(u.size(0), 6) if self.state is None else self.state
        s = torch.tanh(self.win(u) + s @ self.w)
        self.state = s
        return s


class ESN(nn.Module):
    def __init__(self, train_in=True):
        super().__init__()
        self.res = Reservoir()
        if not train_in:
            for p in self.res.parameters():
                p.requires_grad = False
        self.out = nn.Linear(6, 1)

    def forward(self, u):
        return self.out(self.res(u))


esn = ESN(train_in=False)
opt = torch.optim.Adam([p for p in esn.parameters() if p.requires_grad])
for u in torch.randn(4, 2, 3):
    opt.zero_grad()
    esn(u).pow(2).mean().backward()
    opt.step()
