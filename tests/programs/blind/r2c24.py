# judge: verdict only
# A3C-style advantage actor critic; lists on the model cleared after each update
import argparse
from collections import namedtuple
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

parser = argparse.ArgumentParser(description="actor-critic on a small balancing task")
parser.add_argument("--gamma", type=float, default=0.99)
parser.add_argument("--seed", type=int, default=543)
parser.add_argument("--episodes", type=int, default=12)
parser.add_argument("--log-interval", type=int, default=4)
args = parser.parse_args()

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])


class Stick:
    max_steps = 40

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.state = self.rng.normal(scale=0.05, size=2)
        self.t = 0
        return self.state.copy()

    def step(self, action):
        th, om = self.state
        om += 0.1 * (9.8 * np.sin(th) + (6.0 if action else -6.0) * np.cos(th)) * 0.3
        th += 0.1 * om
        self.state = np.array([th, om])
        self.t += 1
        return self.state.copy(), 1.0, abs(th) > 0.5 or self.t >= self.max_steps


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


env = Stick(args.seed)
torch.manual_seed(args.seed)
model = Policy()
optimizer = optim.Adam(model.parameters(), lr=1e-2)
scheduler = optim.lr_scheduler.StepLR(optimizer, 6, 0.5)
eps = np.finfo(np.float32).eps.item()


def select_action(state):
    probs, value = model(torch.from_numpy(state).float())
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), value))
    return action.item()


def finish_episode():
    R, returns = 0, []
    for r in model.rewards[::-1]:
        R = r + args.gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, R.view(1)))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    scheduler.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss


def main():
    running = 10.0
    for ep in range(args.episodes):
        state, ep_reward = env.reset(), 0
        for t in count():
            state, reward, done = env.step(select_action(state))
            model.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running = 0.05 * ep_reward + 0.95 * running
        loss = finish_episode()
        if ep % args.log_interval == 0:
            print(f"Episode {ep}\tLast {ep_reward:.1f}\tAverage {running:.2f}\tloss {loss:.3f}")


if __name__ == "__main__":
    main()
