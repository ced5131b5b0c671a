# judge: verdict only
# hypernetwork weights cached between calls, dropped by an optimizer hook
import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass(frozen=True)
class Shape:
    n_in: int = 6
    n_hid: int = 10
    n_out: int = 2

    def chunks(self):
        return [(self.n_hid, self.n_in), (self.n_hid,), (self.n_out, self.n_hid), (self.n_out,)]

    @property
    def numel(self):
        return sum(torch.Size(c).numel() for c in self.chunks())


class HyperNet(nn.Module):
    def __init__(self, n_tasks, shape, emb=6, width=24):
        super().__init__()
        self.shape = shape
        self.task_emb = nn.Embedding(n_tasks, emb)
        self.trunk = nn.Sequential(nn.Linear(emb, width), nn.ReLU(), nn.Linear(width, shape.numel))
        self._cache = {}

    def weights(self, task):
        if task not in self._cache:
            flat = 0.3 * self.trunk(self.task_emb.weight[task])
            sizes = [torch.Size(c).numel() for c in self.shape.chunks()]
            self._cache[task] = [v.view(c) for v, c in zip(flat.split(sizes), self.shape.chunks())]
        return self._cache[task]

    def invalidate(self, *_):
        self._cache.clear()

    def forward(self, x, task):
        w1, b1, w2, b2 = self.weights(task)
        return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)


class Snapshot:
    """Last accepted weights of every task, targets of the output regulariser."""

    def __init__(self):
        self.by_task = {}

    @torch.no_grad()
    def take(self, hnet, task):
        self.by_task[task] = [w.clone() for w in hnet.weights(task)]

    def penalty(self, hnet, current):
        total = torch.zeros(())
        for task, ref in self.by_task.items():
            if task == current:
                continue
            total = total + sum((w - r).pow(2).sum() for w, r in zip(hnet.weights(task), ref))
        return total / max(1, len(self.by_task))


def task_data(task, n):
    g = torch.Generator().manual_seed(100 + task)
    proj = torch.randn(6, generator=g)
    x = torch.randn(n, 6)
    return x, (x @ proj > 0).long()


def evaluate(hnet, tasks):
    with torch.no_grad():
        accs = []
        for t in range(tasks):
            x, y = task_data(t, 100)
            accs.append(round((hnet(x, t).argmax(1) == y).float().mean().item(), 2))
    hnet.invalidate()
    return accs


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tasks", type=int, default=3)
    ap.add_argument("--iters", type=int, default=15)
    ap.add_argument("--beta", type=float, default=0.05)
    ap.add_argument("--consistency", type=float, default=0.1)
    args = ap.parse_args()
    torch.manual_seed(0)
    hnet, snap = HyperNet(args.tasks, Shape()), Snapshot()
    opt = torch.optim.Adam(hnet.parameters(), lr=5e-3)
    opt.register_step_post_hook(hnet.invalidate)
    for task in range(args.tasks):
        snap.take(hnet, task)
    hnet.invalidate()
    for task in range(args.tasks):
        for it in range(args.iters):
            x, y = task_data(task, 32)
            a = hnet(x, task)
            b = hnet(x + 0.1 * torch.randn_like(x), task)
            loss = F.cross_entropy(a, y) + args.consistency * F.mse_loss(b, a.detach())
            loss = loss + args.beta * snap.penalty(hnet, task)
            opt.zero_grad()
            loss.backward()
            opt.step()
        snap.take(hnet, task)
        hnet.invalidate()
        print(f"task {task} loss {loss.item():.3f} acc {evaluate(hnet, task + 1)}")


if __name__ == "__main__":
    main()
