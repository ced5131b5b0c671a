# judge: verdict only
# DDPG: actor loss built before the critic step, walked after it
import argparse
import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Batch:
    s: torch.Tensor
    a: torch.Tensor
    r: torch.Tensor
    s2: torch.Tensor
    d: torch.Tensor


class Replay:
    def __init__(self, cap, obs, act, seed):
        self.rng = np.random.default_rng(seed)
        self.store = np.zeros((cap, 2 * obs + act + 2), dtype=np.float32)
        self.cut = np.cumsum([obs, act, 1, obs])
        self.n, self.cap = 0, cap

    def push(self, *parts):
        self.store[self.n % self.cap] = np.concatenate([np.atleast_1d(p) for p in parts])
        self.n += 1

    def sample(self, k):
        rows = self.store[self.rng.integers(0, min(self.n, self.cap), k)]
        return Batch(*(torch.from_numpy(v) for v in np.split(rows, self.cut, axis=1)))


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=-1))


class OUNoise:
    def __init__(self, dim, rng, theta=0.15, sigma=0.2):
        self.x, self.rng, self.theta, self.sigma = np.zeros(dim), rng, theta, sigma

    def __call__(self):
        self.x += -self.theta * self.x + self.sigma * self.rng.normal(size=self.x.shape)
        return self.x


class DDPG:
    def __init__(self, obs, act, args):
        self.gamma, self.tau = args.gamma, args.tau
        self.actor = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, act), nn.Tanh())
        self.critic = Critic(obs, act)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.opt = {"actor": torch.optim.Adam(self.actor.parameters(), args.lr_actor),
                    "critic": torch.optim.Adam(self.critic.parameters(), args.lr_critic)}

    def losses(self, b):
        with torch.no_grad():
            y = b.r + self.gamma * (1 - b.d) * self.critic_t(b.s2, self.actor_t(b.s2))
        return {"critic": F.mse_loss(self.critic(b.s, b.a), y),
                "actor": -self.critic(b.s, self.actor(b.s)).mean()}

    def update(self, b):
        out = {}
        losses = self.losses(b)
        for name in ("critic", "actor"):
            self.opt[name].zero_grad()
            losses[name].backward()  # raises: inplace
            self.opt[name].step()
            out[name] = losses[name].item()
        with torch.no_grad():
            for src, dst in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
                for p, q in zip(src.parameters(), dst.parameters()):
                    q.lerp_(p, self.tau)
        return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--warmup", type=int, default=64)
    ap.add_argument("--lr-actor", type=float, default=1e-3)
    ap.add_argument("--lr-critic", type=float, default=1e-3)
    ap.add_argument("--gamma", type=float, default=0.95)
    ap.add_argument("--tau", type=float, default=0.01)
    args = ap.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    agent, buf, noise = DDPG(2, 1, args), Replay(500, 2, 1, 0), OUNoise(1, rng)
    s = rng.normal(size=2)
    for step in range(args.steps):
        with torch.no_grad():
            a = agent.actor(torch.as_tensor(s, dtype=torch.float32)).numpy() + noise()
        s2 = s + 0.1 * np.array([s[1], float(a[0])])
        done = step % 25 == 24
        buf.push(s, a, -float(s2 @ s2), s2, float(done))
        s = rng.normal(size=2) if done else s2
        if step >= args.warmup and step % 4 == 0:
            info = agent.update(buf.sample(32))
            if step % 40 == 0:
                print(step, {k: round(v, 4) for k, v in info.items()})


if __name__ == "__main__":
    main()
