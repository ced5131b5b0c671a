# judge: verdict only
# recurrent A2C: hidden state cut only at episode ends, horizon grows over time
from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

ROLLOUT = 5


@dataclass
class Trajectory:
    log_probs: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)
    masks: List[float] = field(default_factory=list)

    def returns(self, bootstrap, gamma=0.95):
        out, r = [], bootstrap
        for rew, m in zip(reversed(self.rewards), reversed(self.masks)):
            r = rew + gamma * r * m
            out.append(r)
        return torch.tensor(out[::-1])


class CopyEnv:
    """Reward for repeating the previous symbol. Episodes get longer."""

    def __init__(self, symbols=3):
        self.symbols = symbols
        self.episode = 0

    @property
    def horizon(self):
        return ROLLOUT if self.episode <= 3 else ROLLOUT + 3

    def reset(self):
        self.episode += 1
        self.t = 0
        self.cur = torch.randint(self.symbols, ()).item()
        return self._one_hot()

    def _one_hot(self):
        return F.one_hot(torch.tensor(self.cur), self.symbols).float()

    def step(self, action):
        reward = 1.0 if action == self.cur else 0.0
        self.cur = torch.randint(self.symbols, ()).item()
        self.t += 1
        return self._one_hot(), reward, self.t >= self.horizon


class Agent(nn.Module):
    def __init__(self, n=3, hid=16):
        super().__init__()
        self.cell = nn.GRUCell(n, hid)
        self.pi, self.v = nn.Linear(hid, n), nn.Linear(hid, 1)
        self.hid = hid

    def forward(self, obs, h):
        h = self.cell(obs.unsqueeze(0), h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(), h

    def initial(self):
        return torch.zeros(1, self.hid)


def train(updates=12):
    env, agent = CopyEnv(), Agent()
    opt = torch.optim.RMSprop(agent.parameters(), lr=7e-4)
    obs, hidden = env.reset(), agent.initial()
    for update in range(updates):
        traj = Trajectory()
        for _ in range(ROLLOUT):
            dist, value, hidden = agent(obs, hidden)
            action = dist.sample()
            obs, reward, done = env.step(action.item())
            traj.log_probs.append(dist.log_prob(action).squeeze())
            traj.values.append(value)
            traj.rewards.append(reward)
            traj.masks.append(1.0 - done)
            if done:
                obs, hidden = env.reset(), agent.initial()
        with torch.no_grad():
            bootstrap = agent(obs, hidden)[1].item()
        ret = traj.returns(bootstrap)
        values = torch.stack(traj.values)
        adv = ret - values.detach()
        loss = -(torch.stack(traj.log_probs) * adv).mean() + 0.5 * F.mse_loss(values, ret)
        opt.zero_grad()
        loss.backward()  # raises
        opt.step()
        print(f"update {update} episode {env.episode} loss {loss.item():.3f}")


torch.manual_seed(4)
train()
