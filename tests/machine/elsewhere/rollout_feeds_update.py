import torch
from torch import nn


def rollout(policy, states):
    log_probs, actions = [], []
    for state in states:
        dist = torch.distributions.Normal(policy(state), 1.0)
        action = dist.sample()
        log_probs.append(dist.log_prob(action).sum())
        actions.append(action)
    return actions, log_probs


def improve(policy, optimizer, states, actions, log_probs, gains, epochs=4):
    old = torch.stack(log_probs)
    for _ in range(epochs):
        now = torch.distributions.Normal(policy(states), 1.0).log_prob(torch.stack(actions)).sum(-1)
        loss = -((now - old).exp() * gains).mean()  # want: SP103
        optimizer.zero_grad()
        loss.backward()  # raises
        optimizer.step()


# --- driver
policy, states = nn.Linear(3, 2), torch.randn(4, 3)
opt = torch.optim.SGD(policy.parameters(), 0.1)
actions, log_probs = rollout(policy, states)
improve(policy, opt, states, actions, log_probs, torch.randn(4))
