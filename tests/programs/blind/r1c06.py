# judge: verdict only
# PPO keeps behaviour log-probs with their graph
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    """Walk to the right end of a line."""

    def __init__(self, length=7, limit=20, seed=0):
        self.length, self.limit = length, limit
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.pos, self.t = int(self.rng.integers(0, 3)), 0
        return self._obs()

    def _obs(self):
        o = np.zeros(self.length, dtype=np.float32)
        o[self.pos] = 1
        return o

    def step(self, a):
        self.t += 1
        self.pos = max(0, min(self.length - 1, self.pos + (1 if a else -1)))
        done = self.pos == self.length - 1 or self.t >= self.limit
        return self._obs(), float(self.pos == self.length - 1) - 0.01, done


class RolloutBuffer:
    def __init__(self):
        self.clear()

    def clear(self):
        self.obs, self.actions, self.logprobs, self.rewards, self.dones = [], [], [], [], []

    def returns(self, gamma):
        out, r = [], 0.0
        for rew, d in zip(reversed(self.rewards), reversed(self.dones)):
            r = rew + gamma * r * (not d)
            out.insert(0, r)
        ret = torch.tensor(out)
        return (ret - ret.mean()) / (ret.std() + 1e-7)


class PPO:
    def __init__(self, n_obs, n_act, k_epochs=4, eps=0.2, gamma=0.97):
        self.policy = nn.Sequential(nn.Linear(n_obs, 16), nn.Tanh(), nn.Linear(16, n_act))
        self.value = nn.Sequential(nn.Linear(n_obs, 16), nn.Tanh(), nn.Linear(16, 1))
        params = list(self.policy.parameters()) + list(self.value.parameters())
        self.optimizer = torch.optim.Adam(params, lr=3e-3)
        self.buffer = RolloutBuffer()
        self.k_epochs, self.eps, self.gamma = k_epochs, eps, gamma

    def act(self, obs):
        obs = torch.from_numpy(obs)
        dist = Categorical(logits=self.policy(obs))
        a = dist.sample()
        self.buffer.obs.append(obs)
        self.buffer.actions.append(a)
        self.buffer.logprobs.append(dist.log_prob(a))
        return a.item()

    def update(self):
        obs, acts = torch.stack(self.buffer.obs), torch.stack(self.buffer.actions)
        old = torch.stack(self.buffer.logprobs)
        ret = self.buffer.returns(self.gamma)
        for _ in range(self.k_epochs):
            dist = Categorical(logits=self.policy(obs))
            v = self.value(obs).squeeze(-1)
            adv = ret - v.detach()
            ratio = torch.exp(dist.log_prob(acts) - old)
            clipped = torch.clamp(ratio, 1 - self.eps, 1 + self.eps)
            loss = -torch.min(ratio * adv, clipped * adv).mean() + 0.5 * (ret - v).pow(2).mean() - 0.01 * dist.entropy().mean()
            self.optimizer.zero_grad()
            loss.backward()  # raises
            self.optimizer.step()
        self.buffer.clear()


torch.manual_seed(0)
env, agent = Corridor(), PPO(7, 2)
for it in range(6):
    for ep in range(4):
        obs, done = env.reset(), False
        while not done:
            obs, r, done = env.step(agent.act(obs))
            agent.buffer.rewards.append(r)
            agent.buffer.dones.append(done)
    agent.update()
    print("iter", it)
