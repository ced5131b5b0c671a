import torch
from torch import nn


class Policy:
    def __init__(self):
        self.cell, self.head = nn.GRUCell(3, 8), nn.Linear(8, 2)
        self.h = None

    def __call__(self, obs):
        self.h = self.cell(obs, self.h)
        return torch.distributions.Categorical(logits=self.head(self.h))

    def parameters(self):
        yield from self.cell.parameters()
        yield from self.head.parameters()


policy = Policy()
opt = torch.optim.Adam(policy.parameters())
for episode in range(3):
    policy.h = None
    logps = []
    for t in range(4):
        dist = policy(torch.randn(1, 3))
        a = dist.sample()
        logps.append(dist.log_prob(a))
    loss = -torch.stack(logps).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
