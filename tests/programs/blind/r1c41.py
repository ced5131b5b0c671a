# judge: verdict only
# spiking net keeps membranes as attributes and clears them at each forward
import torch
import torch.nn as nn
import torch.nn.functional as F


class Surrogate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return u.gt(0).to(u.dtype)

    @staticmethod
    def backward(ctx, g):
        u, = ctx.saved_tensors
        return g * torch.sigmoid(4 * u) * (1 - torch.sigmoid(4 * u)) * 4


class Stateful:
    def clear(self):
        raise NotImplementedError


class ALIF(nn.Module, Stateful):
    """Adaptive threshold neuron."""

    def __init__(self, size):
        super().__init__()
        self.decay = nn.Parameter(torch.full((size,), 2.0))
        self.clear()

    def clear(self):
        self.mem = self.thr = None

    def forward(self, i):
        if self.mem is None:
            self.mem, self.thr = torch.zeros_like(i), torch.ones_like(i)
        self.mem = torch.sigmoid(self.decay) * self.mem + i
        s = Surrogate.apply(self.mem - self.thr)
        self.mem = self.mem * (1 - s)
        self.thr = 1 + 0.9 * (self.thr - 1) + 0.2 * s
        return s


class Gesture(nn.Module):
    def __init__(self, n_in=10, hid=16, classes=3):
        super().__init__()
        self.l1, self.n1 = nn.Linear(n_in, hid), ALIF(hid)
        self.tail = nn.Sequential(nn.Linear(hid, hid), ALIF(hid), nn.Linear(hid, classes))

    def forward(self, seq):
        for m in self.modules():
            if isinstance(m, Stateful):
                m.clear()
        votes = []
        for frame in seq.unbind(1):
            votes.append(self.tail(self.n1(self.l1(frame))))
        return torch.stack(votes, 1).mean(1)


def events(n=48, t=8, d=10, classes=3):
    y = torch.randint(0, classes, (n,))
    rate = 0.1 + 0.25 * y[:, None, None].float()
    return (torch.rand(n, t, d) < rate).float(), y


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = events()
    net = Gesture()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(4):
        for xb, yb in zip(x.split(12), y.split(12)):
            loss = F.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} loss {loss.item():.3f} membrane {net.n1.mem.mean().item():.3f}")
