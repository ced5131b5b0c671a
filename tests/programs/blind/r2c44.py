# judge: verdict only
# small Dreamer: world model, imagination through it, value on detached features
import argparse
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.ELU(), nn.Linear(h, o))


class WorldModel(nn.Module):
    def __init__(self, obs, act, det=16, sto=4):
        super().__init__()
        self.det, self.sto = det, sto
        self.gru = nn.GRUCell(sto + act, det)
        self.prior, self.post = mlp(det, 2 * sto), mlp(det + obs, 2 * sto)
        self.decoder, self.reward = mlp(det + sto, obs), mlp(det + sto, 1)

    @staticmethod
    def dist(stats):
        mu, s = stats.chunk(2, -1)
        return torch.distributions.Normal(mu, F.softplus(s) + 0.1)

    def start(self, n):
        return torch.zeros(n, self.det), torch.zeros(n, self.sto)

    def imagine_step(self, h, z, a):
        h = self.gru(torch.cat([z, a], -1), h)
        return h, self.dist(self.prior(h)).rsample()

    def observe(self, obs, act):
        h, z = self.start(obs.size(1))
        hs, zs, kl = [], [], 0.0
        for o, a in zip(obs, act):
            h = self.gru(torch.cat([z, a], -1), h)
            prior, post = self.dist(self.prior(h)), self.dist(self.post(torch.cat([h, o], -1)))
            z = post.rsample()
            kl = kl + torch.distributions.kl_divergence(post, prior).sum(-1).mean()
            hs.append(h)
            zs.append(z)
        return torch.stack(hs), torch.stack(zs), kl / len(obs)


class Dreamer:
    def __init__(self, args):
        self.a = args
        self.wm, self.actor, self.value = WorldModel(3, 1), mlp(20, 1), mlp(20, 1)
        opt = lambda m, lr: torch.optim.Adam(m.parameters(), lr=lr, eps=1e-5)
        self.opt_m, self.opt_a, self.opt_v = opt(self.wm, 3e-3), opt(self.actor, 1e-3), opt(self.value, 1e-3)
        self.log = deque(maxlen=20)

    def _apply(self, opt, loss):
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([p for g in opt.param_groups for p in g["params"]], 100.0)
        opt.step()

    def train_model(self, obs, act, rew):
        hs, zs, kl = self.wm.observe(obs, act)
        feat = torch.cat([hs, zs], -1)
        loss = F.mse_loss(self.wm.decoder(feat), obs) + F.mse_loss(self.wm.reward(feat).squeeze(-1), rew) + 0.1 * kl.clamp_min(0.1)
        self._apply(self.opt_m, loss)
        self.log.append(("model", loss.item()))
        return hs.flatten(0, 1), zs.flatten(0, 1)

    def lambda_return(self, rew, val):
        out, last = [], val[-1]
        for r, v in zip(reversed(rew[:-1]), reversed(val[1:])):
            last = r + self.a.gamma * ((1 - self.a.lam) * v + self.a.lam * last)
            out.append(last)
        return torch.stack(out[::-1])

    def train_behaviour(self, h, z):
        h, z = h.detach(), z.detach()
        feats = []
        for _ in range(self.a.horizon):
            feat = torch.cat([h, z], -1)
            a = torch.tanh(self.actor(feat.detach()) + 0.1 * torch.randn(len(feat), 1))
            h, z = self.wm.imagine_step(h, z, a)
            feats.append(torch.cat([h, z], -1))
        feats = torch.stack(feats)
        rew, val = self.wm.reward(feats).squeeze(-1), self.value(feats).squeeze(-1)
        target = self.lambda_return(list(rew), list(val))
        self._apply(self.opt_a, -target.mean())
        pred = self.value(feats[:-1].detach()).squeeze(-1)
        v_loss = F.mse_loss(pred, target.detach())
        self._apply(self.opt_v, v_loss)
        self.log += [("actor", -target.mean().item()), ("value", v_loss.item())]


def episodes(n, T):
    x, obs, act, rew = torch.randn(n, 3), [], [], []
    for _ in range(T):
        a = torch.rand(n, 1) * 2 - 1
        x = 0.95 * x + 0.3 * a * torch.tensor([1.0, 0.5, -0.2])
        obs.append(x); act.append(a); rew.append(-x.pow(2).sum(-1))
    return torch.stack(obs), torch.stack(act), torch.stack(rew)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    for k, v in dict(iters=12, batch=6, length=8, horizon=5, gamma=0.97, lam=0.9).items():
        p.add_argument(f"--{k}", type=type(v), default=v)
    args = p.parse_args()
    torch.manual_seed(0)
    agent = Dreamer(args)
    for it in range(args.iters):
        h, z = agent.train_model(*episodes(args.batch, args.length))
        agent.train_behaviour(h, z)
        if it % 4 == 3:
            print(it, {k: round(v, 3) for k, v in list(agent.log)[-3:]})
