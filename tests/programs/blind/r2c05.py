# judge: verdict only
# SAC temperature loss reuses the actor's log-probabilities
import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal


def mlp(sizes, act=nn.ReLU):
    layers = []
    for i in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), act()]
    return nn.Sequential(*layers[:-1])


class PointEnv:
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def reset(self):
        self.x, self.t = self.rng.normal(size=3), 0
        return self.x.copy()

    def step(self, a):
        self.x = self.x + 0.1 * np.concatenate([a, -a[:1]])
        self.t += 1
        return self.x.copy(), -float((self.x ** 2).sum()), self.t >= 20


class Buffer:
    def __init__(self, size):
        self.data = deque(maxlen=size)

    def add(self, *tr):
        self.data.append(tr)

    def sample(self, n):
        s, a, r, s2, d = map(np.array, zip(*random.sample(self.data, n)))
        t = lambda v: torch.as_tensor(v, dtype=torch.float32)
        return t(s), t(a), t(r)[:, None], t(s2), t(d)[:, None]

    def __len__(self):
        return len(self.data)


class GaussianPolicy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.trunk = mlp([obs, 32, 2 * act])

    def sample(self, s):
        mu, ls = self.trunk(s).chunk(2, -1)
        dist = Normal(mu, ls.clamp(-5, 2).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)
        return a, logp.sum(-1, keepdim=True)


class SAC:
    def __init__(self, obs=3, act=2, gamma=0.98, tau=0.01):
        self.pi = GaussianPolicy(obs, act)
        self.q1, self.q2 = mlp([obs + act, 32, 1]), mlp([obs + act, 32, 1])
        self.t1, self.t2 = mlp([obs + act, 32, 1]), mlp([obs + act, 32, 1])
        self.t1.load_state_dict(self.q1.state_dict())
        self.t2.load_state_dict(self.q2.state_dict())
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.target_entropy, self.gamma, self.tau = -float(act), gamma, tau
        self.opt_q = torch.optim.Adam([*self.q1.parameters(), *self.q2.parameters()], 3e-3)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), 3e-3)
        self.opt_a = torch.optim.Adam([self.log_alpha], 3e-3)

    def update(self, s, a, r, s2, d):
        alpha = self.log_alpha.exp().item()
        with torch.no_grad():
            a2, lp2 = self.pi.sample(s2)
            sa2 = torch.cat([s2, a2], -1)
            y = r + self.gamma * (1 - d) * (torch.min(self.t1(sa2), self.t2(sa2)) - alpha * lp2)
        sa = torch.cat([s, a], -1)
        q_loss = F.mse_loss(self.q1(sa), y) + F.mse_loss(self.q2(sa), y)
        self.opt_q.zero_grad(); q_loss.backward(); self.opt_q.step()

        new_a, log_pi = self.pi.sample(s)
        san = torch.cat([s, new_a], -1)
        pi_loss = (alpha * log_pi - torch.min(self.q1(san), self.q2(san))).mean()
        self.opt_pi.zero_grad(); pi_loss.backward(); self.opt_pi.step()

        alpha_loss = -(self.log_alpha * (log_pi + self.target_entropy)).mean()
        self.opt_a.zero_grad(); alpha_loss.backward(); self.opt_a.step()  # raises

        with torch.no_grad():
            for net, tgt in ((self.q1, self.t1), (self.q2, self.t2)):
                for p, tp in zip(net.parameters(), tgt.parameters()):
                    tp.mul_(1 - self.tau).add_(p, alpha=self.tau)
        return q_loss.item(), pi_loss.item(), alpha_loss.item()


if __name__ == "__main__":
    random.seed(0); torch.manual_seed(0)
    env, agent, buf = PointEnv(), SAC(), Buffer(500)
    s = env.reset()
    for step in range(120):
        with torch.no_grad():
            act = agent.pi.sample(torch.as_tensor(s, dtype=torch.float32)[None])[0][0].numpy()
        s2, r, done = env.step(act)
        buf.add(s, act, r, s2, float(done))
        s = env.reset() if done else s2
        if len(buf) >= 64 and step % 10 == 0:
            for _ in range(2):
                stats = agent.update(*buf.sample(32))
            print(step, ["%.3f" % v for v in stats])
