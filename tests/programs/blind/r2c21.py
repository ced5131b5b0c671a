# judge: verdict only
# PPO: advantages keep the rollout's value graph across minibatches
import argparse
import time

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class VecChain:
    """N independent corridor walks; +1 at the right end."""

    def __init__(self, n, length=6):
        self.n, self.length = n, length
        self.pos = np.zeros(n, dtype=int)
        self.steps = np.zeros(n, dtype=int)

    def obs(self):
        return torch.eye(self.length)[torch.from_numpy(self.pos)]

    def step(self, a):
        self.pos = np.clip(self.pos + np.where(a == 1, 1, -1), 0, self.length - 1)
        self.steps += 1
        win = self.pos == self.length - 1
        done = win | (self.steps >= 15)
        self.pos[done], self.steps[done] = 0, 0
        return self.obs(), torch.from_numpy(win.astype(np.float32)), torch.from_numpy(done.astype(np.float32))


class Agent(nn.Module):
    def __init__(self, obs, acts):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, acts))

    def get_value(self, x):
        return self.critic(x).squeeze(-1)

    def act(self, x, action=None):
        dist = Categorical(logits=self.actor(x))
        action = dist.sample() if action is None else action
        return action, dist.log_prob(action), dist.entropy(), self.get_value(x)


def gae(rewards, values, dones, last, gamma, lam):
    adv, out = 0.0, []
    nxt = last
    for t in reversed(range(len(rewards))):
        mask = 1 - dones[t]
        delta = rewards[t] + gamma * nxt * mask - values[t]
        adv = delta + gamma * lam * mask * adv
        out.insert(0, adv)
        nxt = values[t]
    return torch.stack(out)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--num-envs", type=int, default=4)
    p.add_argument("--num-steps", type=int, default=16)
    p.add_argument("--updates", type=int, default=5)
    p.add_argument("--update-epochs", type=int, default=3)
    p.add_argument("--minibatches", type=int, default=4)
    p.add_argument("--clip", type=float, default=0.2)
    p.add_argument("--lr", type=float, default=2.5e-3)
    return p.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(1)
    envs, agent = VecChain(args.num_envs), Agent(6, 2)
    opt = torch.optim.Adam(agent.parameters(), lr=args.lr, eps=1e-5)
    obs, start = envs.obs(), time.time()
    for update in range(args.updates):
        opt.param_groups[0]["lr"] = args.lr * (1 - update / args.updates)
        buf = {k: [] for k in ("obs", "act", "logp", "rew", "done", "val")}
        for _ in range(args.num_steps):
            a, logp, _, v = agent.act(obs)
            nxt, r, d = envs.step(a.numpy())
            for k, val in zip(buf, (obs, a, logp.detach(), r, d, v)):
                buf[k].append(val)
            obs = nxt
        with torch.no_grad():
            last = agent.get_value(obs)
        adv = gae(buf["rew"], buf["val"], buf["done"], last, 0.99, 0.95)
        flat = {k: torch.stack(v).flatten(0, 1) for k, v in buf.items()}
        adv = adv.flatten()
        ret = adv + flat["val"]
        idx = np.arange(len(adv))
        for _ in range(args.update_epochs):
            np.random.shuffle(idx)
            for mb in np.array_split(idx, args.minibatches):
                _, logp, ent, val = agent.act(flat["obs"][mb], flat["act"][mb])
                ratio = (logp - flat["logp"][mb]).exp()
                a = (adv[mb] - adv[mb].mean()) / (adv[mb].std() + 1e-8)
                pg = torch.max(-a * ratio, -a * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
                loss = pg + 0.5 * (val - ret[mb]).pow(2).mean() - 0.01 * ent.mean()
                opt.zero_grad()
                loss.backward()  # raises
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                opt.step()
        print(f"update {update} loss {loss.item():.3f} sps {int(args.num_envs * args.num_steps / (time.time() - start))}")


if __name__ == "__main__":
    main()
