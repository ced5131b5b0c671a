import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["e"] = p.grad * 0.05
                p.add_(self.state[p]["e"])

    @torch.no_grad()
    def second_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.sub_(self.state[p]["e"])
        self.base.step()


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = SAM(net.parameters(), torch.optim.SGD, lr=0.1)
for x in torch.randn(3, 5, 3):
    net(x).pow(2).mean().backward()
    opt.first_step()
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.second_step()
    opt.zero_grad()
