# judge: verdict only
# second-order MAML with functional_call and create_graph
import argparse
from collections import OrderedDict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class SinusoidTasks:
    def __init__(self, shots, rng):
        self.shots, self.rng = shots, rng

    def _draw(self, amp, phase):
        x = self.rng.uniform(-5, 5, (self.shots, 1)).astype(np.float32)
        return torch.from_numpy(x), torch.from_numpy((amp * np.sin(x - phase)).astype(np.float32))

    def batch(self, n):
        for _ in range(n):
            amp, phase = self.rng.uniform(0.1, 5), self.rng.uniform(0, np.pi)
            yield self._draw(amp, phase), self._draw(amp, phase)


class MetaLearner(nn.Module):
    def __init__(self, hidden, inner_lr, inner_steps, first_order, learn_lr):
        super().__init__()
        self.net = nn.Sequential(OrderedDict(
            l1=nn.Linear(1, hidden), a1=nn.ReLU(), l2=nn.Linear(hidden, hidden), a2=nn.ReLU(), l3=nn.Linear(hidden, 1)))
        lrs = {n.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr), requires_grad=learn_lr) for n, _ in self.net.named_parameters()}
        self.lrs = nn.ParameterDict(lrs)
        self.inner_steps, self.first_order = inner_steps, first_order

    def adapt(self, x, y, train=True):
        fast = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=train and not self.first_order)
            fast = {n: w - self.lrs[n.replace(".", "_")] * g for (n, w), g in zip(fast.items(), grads)}
        return fast

    def forward(self, x, fast):
        return functional_call(self.net, fast, (x,))


def evaluate(meta, tasks, n=5):
    pre, post = [], []
    for (xs, ys), (xq, yq) in tasks.batch(n):
        fast = meta.adapt(xs, ys, train=False)
        with torch.no_grad():
            pre.append(F.mse_loss(meta.net(xq), yq).item())
            post.append(F.mse_loss(meta(xq, fast), yq).item())
    return np.mean(pre), np.mean(post)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--meta-lr", type=float, default=1e-3)
    ap.add_argument("--inner-lr", type=float, default=0.01)
    ap.add_argument("--inner-steps", type=int, default=2)
    ap.add_argument("--meta-batch", type=int, default=4)
    ap.add_argument("--iterations", type=int, default=16)
    ap.add_argument("--first-order", action="store_true")
    ap.add_argument("--fixed-lr", action="store_true")
    args = ap.parse_args()
    torch.manual_seed(0)
    tasks = SinusoidTasks(10, np.random.default_rng(0))
    meta = MetaLearner(24, args.inner_lr, args.inner_steps, args.first_order, not args.fixed_lr)
    opt = torch.optim.Adam([p for p in meta.parameters() if p.requires_grad], lr=args.meta_lr)
    history = []
    for it in range(args.iterations):
        meta_loss = 0.0
        for (xs, ys), (xq, yq) in tasks.batch(args.meta_batch):
            fast = meta.adapt(xs, ys)
            meta_loss += F.mse_loss(meta(xq, fast), yq)
        meta_loss = meta_loss / args.meta_batch
        opt.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(meta.parameters(), 10.0)
        opt.step()
        history.append(float(meta_loss))
        if it % 5 == 0:
            print(it, "meta %.3f  before/after %.3f %.3f" % (history[-1], *evaluate(meta, tasks)))


if __name__ == "__main__":
    main()
