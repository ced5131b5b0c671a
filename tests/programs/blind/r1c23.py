# judge: growth
# REINFORCE baseline averages live value estimates, used detached
import torch
import torch.nn as nn
from torch.distributions import Normal


class PendulumLike:
    def __init__(self, batch):
        self.batch = batch

    def reset(self):
        self.x = torch.randn(self.batch, 2)
        return self.x

    def step(self, u):
        th, w = self.x.unbind(-1)
        w = 0.98 * w + 0.1 * (torch.sin(th) + u)
        th = th + 0.1 * w
        self.x = torch.stack([th, w], -1)
        return self.x, -(th ** 2 + 0.1 * w ** 2 + 0.01 * u ** 2)


class ReinforceAgent:
    def __init__(self, lr=3e-3):
        self.mu = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.zeros(1))
        self.value = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.opt = torch.optim.Adam([*self.mu.parameters(), self.log_std, *self.value.parameters()], lr=lr)
        self.baseline = torch.zeros(())

    def act(self, obs):
        dist = Normal(self.mu(obs).squeeze(-1), self.log_std.exp())
        u = dist.sample()
        return u, dist.log_prob(u)

    def learn(self, env, horizon=8, gamma=0.95):
        obs = env.reset()
        start = obs
        logps, rewards = [], []
        for _ in range(horizon):
            u, logp = self.act(obs)
            obs, r = env.step(u)
            logps.append(logp)
            rewards.append(r)
        ret = sum(gamma ** i * r for i, r in enumerate(rewards))
        v = self.value(start).squeeze(-1)
        self.baseline = 0.95 * self.baseline + 0.05 * v.mean()
        adv = ret - v.detach() - 0.1 * self.baseline.detach()
        policy_loss = -(torch.stack(logps).sum(0) * adv).mean()
        value_loss = (v - ret).pow(2).mean()
        self.opt.zero_grad()
        (policy_loss + 0.5 * value_loss).backward()
        self.opt.step()
        return ret.mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    agent, env = ReinforceAgent(), PendulumLike(16)
    for it in range(40):
        score = agent.learn(env)
        if it % 10 == 9:
            print(f"iteration {it + 1}: return {score:.2f}")
