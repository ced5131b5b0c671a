"""The log-probabilities of an episode are kept in a list that nobody empties."""
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Linear(3, 2)
optimizer = torch.optim.Adam(policy.parameters())
saved_log_probs = []


def select_action(state):
    distribution = Categorical(logits=policy(state))
    action = distribution.sample()
    saved_log_probs.append(distribution.log_prob(action))
    return action.item()


def finish_episode():
    loss = torch.stack([-log_prob for log_prob in saved_log_probs]).sum()  # want: SP106
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()


for episode in range(2):
    for t in range(3):
        select_action(torch.randn(3))
    finish_episode()
