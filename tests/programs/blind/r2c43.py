# judge: verdict only
# stateful layers detached through a callback registry and a base-class method
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

CALLBACKS = {"end_batch": [], "end_epoch": []}


def on(event):
    def wrap(fn):
        CALLBACKS[event].append(fn)
        return fn
    return wrap


def fire(event, **kw):
    for fn in CALLBACKS[event]:
        fn(**kw)


class StatefulModule(nn.Module):
    def __init__(self):
        super().__init__()
        self._states = {}

    def state(self, key, like):
        s = self._states.get(key)
        if s is None or s.shape != like.shape:
            s = torch.zeros_like(like)
        return s

    def keep(self, key, value):
        self._states[key] = value
        return value

    def detach_states(self):
        self._states = {k: v.detach() for k, v in self._states.items()}

    def reset_states(self):
        self._states.clear()


class Leaky(StatefulModule):
    def __init__(self, units, beta=0.8):
        super().__init__()
        self.beta = nn.Parameter(torch.full((units,), beta))

    def forward(self, x):
        v = self.beta.clamp(0, 1) * self.state("v", x) + x
        soft = torch.sigmoid(5 * (v - 1))
        spk = (v > 1).float() + soft - soft.detach()
        self.keep("v", v - spk)
        return spk


class Adaptive(Leaky):
    def forward(self, x):
        a = self.state("a", x)
        s = super().forward(x - 0.2 * a)
        self.keep("a", 0.9 * a + s)
        return s


class SNN(nn.Module):
    def __init__(self, n_in, hid, n_out):
        super().__init__()
        self.fc1, self.l1 = nn.Linear(n_in, hid), Leaky(hid)
        self.fc2, self.l2 = nn.Linear(hid, hid), Adaptive(hid)
        self.out = nn.Linear(hid, n_out)
        self.trace = []

    def forward(self, seq):
        acc = torch.stack([self.out(self.l2(self.fc2(self.l1(self.fc1(x))))) for x in seq])
        self.trace.append(acc.abs().mean().item())
        return acc.mean(0)


@on("end_batch")
def cut(model, **_):
    for m in model.modules():
        if isinstance(m, StatefulModule):
            m.detach_states()


@on("end_epoch")
def report(model, epoch, loss, **_):
    print(f"epoch {epoch} loss {loss:.3f} activity {model.trace[-1]:.3f}")


def gesture_stream(n_chunks, T, bs, n_in):
    g = torch.Generator().manual_seed(4)
    for c in range(n_chunks):
        if c % 4 == 0:
            label = torch.randint(0, 3, (bs,), generator=g)
        rate = 0.15 + 0.5 * F.one_hot(label, 3).float().repeat_interleave(n_in // 3, 1)
        yield (torch.rand(T, bs, n_in, generator=g) < rate).float(), label


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--chunks", type=int, default=12)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()
    torch.manual_seed(0)
    model = SNN(9, 16, 3)
    opt = torch.optim.Adamax(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        for x, y in gesture_stream(args.chunks, 5, 8, 9):
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            fire("end_batch", model=model)
        fire("end_epoch", model=model, epoch=epoch, loss=loss.item())


if __name__ == "__main__":
    main()
