# judge: verdict only
# multi-task weights from a running mean of the losses
import collections

import torch
import torch.nn as nn


class RunningMean:
    def __init__(self, momentum=0.9):
        self.m = momentum
        self._value = None

    @property
    def value(self):
        return self._value

    def push(self, x):
        self._value = x if self._value is None else self.m * self._value + (1 - self.m) * x
        return self


class LossBalancer:
    """Divides each task loss by its recent magnitude."""

    def __init__(self, names, momentum=0.9):
        self.stats = {n: RunningMean(momentum) for n in names}

    def __call__(self, losses):
        total = 0.0
        for name, value in losses.items():
            scale = self.stats[name].push(value).value
            total = total + value / (scale + 1e-8)
        return total


class DepthAndSeg(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 6, 3, padding=1), nn.ReLU())
        self.depth = nn.Conv2d(6, 1, 1)
        self.seg = nn.Conv2d(6, 3, 1)

    def forward(self, x):
        f = self.body(x)
        return {"depth": self.depth(f), "seg": self.seg(f)}


def compute(out, target):
    return {
        "depth": (out["depth"] - target["depth"]).abs().mean(),
        "seg": nn.functional.cross_entropy(out["seg"], target["seg"]),
    }


def synthetic(n):
    for _ in range(n):
        img = torch.rand(4, 1, 8, 8)
        yield img, {"depth": 1 - img, "seg": (img[:, 0] * 2.99).long()}


def main():
    torch.manual_seed(2)
    model = DepthAndSeg()
    balancer = LossBalancer(["depth", "seg"])
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    meters = collections.defaultdict(float)
    for step, (img, target) in enumerate(synthetic(20)):
        losses = compute(model(img), target)
        total = balancer(losses)
        optimizer.zero_grad()
        total.backward()  # raises
        optimizer.step()
        for k, v in losses.items():
            meters[k] += v.item()
    print({k: v / 20 for k, v in meters.items()})


if __name__ == "__main__":
    main()
