# judge: verdict only
# log-probs kept in a list on the model, cleared by slice deletion in the update function
from collections import namedtuple
from itertools import count
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
random.seed(0)
Step = namedtuple("Step", ["log_prob", "value"])


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.policy_head, self.value_head = nn.Linear(16, 2), nn.Linear(16, 1)
        self.trace, self.rewards = [], []

    def forward(self, x):
        x = F.relu(self.body(x))
        return F.softmax(self.policy_head(x), dim=-1), self.value_head(x)


model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)


def pick_move(state):
    probs, value = model(torch.tensor(state))
    m = torch.distributions.Categorical(probs)
    action = m.sample()
    model.trace.append(Step(m.log_prob(action), value))
    return action.item()


def learn_from_episode():
    R, returns, pi_terms, v_terms = 0, [], [], []
    for r in model.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    for (log_prob, value), ret in zip(model.trace, returns):
        advantage = ret - value.item()
        pi_terms.append(-log_prob * advantage)
        v_terms.append(F.smooth_l1_loss(value, torch.tensor([ret])))
    optimizer.zero_grad()
    loss = torch.stack(pi_terms).sum() + torch.stack(v_terms).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.trace[:]


def main():
    smoothed = 10
    for episode in count(1):
        state, score = [random.random() for _ in range(4)], 0
        for t in range(1, 9):
            action = pick_move(state)
            state, reward = [random.random() for _ in range(4)], float(action)
            model.rewards.append(reward)
            score += reward
        smoothed = 0.05 * score + (1 - 0.05) * smoothed
        learn_from_episode()
        if episode >= 5:
            break


main()
