# judge: verdict only
# per-layer gradient probe every fifth step frees the graph before backward
import argparse
import json
import sys

import torch
from torch import nn


class ResidualMLP(nn.Module):
    def __init__(self, d_in, width, depth):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        for layer in self.layers:
            h = h + torch.relu(layer(h))
        return self.out(h).squeeze(-1)


class Probe:
    def __init__(self, model, every, stream=sys.stdout):
        self.named = {k: p for k, p in model.named_parameters() if k.endswith("weight")}
        self.every, self.stream = every, stream

    def __call__(self, step, loss):
        if not self.every or step % self.every:
            return
        named = self.named
        grads = torch.autograd.grad(loss, list(named.values()))
        record = {k: round(g.norm().item(), 4) for k, g in zip(named, grads)}
        self.stream.write(json.dumps({"step": step, **record}) + "\n")


def batches(n, bs, d):
    w = torch.randn(d)
    for _ in range(n):
        x = torch.randn(bs, d)
        yield x, torch.sin(x @ w)


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=12)
    ap.add_argument("--probe-every", type=int, default=5)
    ap.add_argument("--width", type=int, default=12)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    model = ResidualMLP(6, args.width, 3)
    opt = torch.optim.SGD(model.parameters(), lr=1e-2)
    probe = Probe(model, args.probe_every)
    for step, (x, y) in enumerate(batches(args.steps, 32, 6), start=1):
        loss = nn.functional.mse_loss(model(x), y)
        probe(step, loss)
        opt.zero_grad()
        loss.backward()  # raises
        opt.step()
    print("done", loss.item())


if __name__ == "__main__":
    main()
