# judge: verdict only
# GradNorm keeps the initial task losses with their graphs
from dataclasses import dataclass, field
from typing import List, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class HParams:
    tasks: List[str] = field(default_factory=lambda: ["seg", "normal", "depth"])
    alpha: float = 1.5
    lr: float = 1e-3
    lr_w: float = 2.5e-2
    steps: int = 20
    batch: int = 16


class MTLNet(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16))
        self.heads = nn.ModuleDict({t: nn.Linear(16, 2) for t in tasks})

    @property
    def last_shared(self):
        return self.body[-1].weight

    def forward(self, x):
        z = torch.relu(self.body(x))
        return {t: h(z) for t, h in self.heads.items()}


class GradNorm:
    def __init__(self, n, alpha, lr):
        self.w = nn.Parameter(torch.ones(n))
        self.alpha = alpha
        self.initial: Optional[torch.Tensor] = None
        self.opt = torch.optim.Adam([self.w], lr=lr)

    def weighted(self, losses):
        if self.initial is None:
            self.initial = losses
        return (self.w * losses).sum()

    def balance(self, losses, shared):
        norms = []
        for i in range(len(losses)):
            g, = torch.autograd.grad(self.w[i] * losses[i], shared, retain_graph=True, create_graph=True)
            norms.append(g.norm())
        norms = torch.stack(norms)
        ratio = losses / self.initial
        rate = ratio / ratio.mean()
        target = norms.mean().detach() * rate ** self.alpha
        return (norms - target).abs().sum()

    def renormalize(self):
        with torch.no_grad():
            self.w.mul_(len(self.w) / self.w.sum())


class Task:
    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.proj = torch.randn(3, 10, 2, generator=g) * torch.tensor([1.0, 3.0, 0.3])[:, None, None]

    def sample(self, n):
        x = torch.randn(n, 10)
        return x, [torch.sin(x @ p) for p in self.proj]


def main(hp: HParams):
    torch.manual_seed(0)
    net, data = MTLNet(hp.tasks), Task(1)
    gn = GradNorm(len(hp.tasks), hp.alpha, hp.lr_w)
    opt = torch.optim.Adam(net.parameters(), lr=hp.lr)
    for step in range(hp.steps):
        x, ys = data.sample(hp.batch)
        out = net(x)
        losses = torch.stack([F.mse_loss(out[t], y) for t, y in zip(hp.tasks, ys)])
        total = gn.weighted(losses)
        balance = gn.balance(losses, net.last_shared)
        opt.zero_grad()
        gn.opt.zero_grad()
        (total + balance).backward()  # raises
        opt.step()
        gn.opt.step()
        gn.renormalize()
        if step % 5 == 0:
            print(step, [f"{v:.3f}" for v in losses.tolist()], [f"{v:.2f}" for v in gn.w.tolist()])


if __name__ == "__main__":
    main(HParams())
