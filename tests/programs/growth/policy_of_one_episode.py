"""Log-probabilities of an episode, walked at its end."""

import torch
from torch import nn

policy = nn.Linear(4, 2)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
kept = []
for step in range(40):
    dist = torch.distributions.Categorical(logits=policy(torch.randn(4)))
    action = dist.sample()
    kept.append(dist.log_prob(action))
    if (step + 1) % 8 == 0:
        optimizer.zero_grad()
        (-torch.stack(kept).sum()).backward()
        optimizer.step()
        del kept[:]
