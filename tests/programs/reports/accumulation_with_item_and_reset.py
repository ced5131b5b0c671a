# judge: verdict only
# Gradient accumulation and running totals done right: scaled loss.backward() inside, .item() and .detach() for logging
from collections import defaultdict

import torch
import torch.nn as nn

torch.manual_seed(0)


class Diffuser(nn.Module):
    def __init__(self, dim=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 32), nn.SiLU(), nn.Linear(32, dim))

    def forward(self, x):
        t = torch.rand(len(x), 1)
        noise = torch.randn_like(x)
        noisy = (1 - t) * x + t * noise
        return (self.net(torch.cat([noisy, t], 1)) - noise).pow(2).mean()


class Trainer:
    def __init__(self, model, micro_batches=3, n_updates=4):
        self.model = model
        self.micro = micro_batches
        self.n_updates = n_updates
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.smoothed = defaultdict(float)

    def log(self, **values):
        for k, v in values.items():
            v = v.detach() if isinstance(v, torch.Tensor) else v
            self.smoothed[k] = 0.9 * self.smoothed[k] + 0.1 * v

    def train(self, batches):
        step = 0
        while step < self.n_updates:
            seen_loss = 0.0
            for _ in range(self.micro):
                loss = self.model(next(batches))
                loss = loss / self.micro
                seen_loss += loss.item()
                loss.backward()
                self.log(loss=loss)
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.log(grad_norm=norm)
            self.opt.step()
            self.opt.zero_grad()
            step += 1
            print(f"loss: {seen_loss:.4f}")
        return {k: float(v) for k, v in self.smoothed.items()}


def cycle():
    data = torch.randn(64, 10)
    while True:
        yield data[torch.randint(0, 64, (8,))]


print(Trainer(Diffuser()).train(cycle()))
