# judge: verdict only
# gradient-noise probe with retain_graph before the real backward
import logging
import math

import torch
import torch.nn as nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
logger = logging.getLogger(__name__)


class NoiseScale:
    """Compares per-half gradients against the full one."""

    def __init__(self, params, every=3):
        self.params, self.every = list(params), every
        self.step = 0
        self.values = []

    def flat(self, loss):
        grads = torch.autograd.grad(loss, self.params, retain_graph=True)
        return torch.cat([g.flatten() for g in grads])

    def maybe(self, losses):
        self.step += 1
        if self.step % self.every:
            return
        half = len(losses) // 2
        small = self.flat(losses[:half].mean())
        big = self.flat(losses.mean())
        self.values.append(((small - big).norm() / big.norm()).item())
        logger.info("step %d noise %.3f", self.step, self.values[-1])


def saliency(model, x):
    x = x.clone().requires_grad_()
    out = model(x).sum()
    out.backward()
    return x.grad.abs().mean(0)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(7, 20), nn.SiLU(), nn.Linear(20, 1))
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    probe = NoiseScale(model.parameters())
    for step in range(15):
        x = torch.randn(24, 7)
        y = torch.sin(x[:, :1] * math.pi)
        losses = (model(x) - y).pow(2).squeeze(1)
        probe.maybe(losses)
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 4:
            logger.info("saliency %s", [round(v, 3) for v in saliency(model, x).tolist()])
            model.zero_grad()


if __name__ == "__main__":
    main()
