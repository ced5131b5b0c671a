# judge: verdict only
# spiking net: reset helper only visits direct children
import torch
import torch.nn as nn
import torch.nn.functional as F


def spike(u, slope=5.0):
    soft = torch.sigmoid(slope * u)
    return (u > 0).float() - soft.detach() + soft


class LIF(nn.Module):
    def __init__(self, beta=0.9, thr=1.0):
        super().__init__()
        self.beta, self.thr = beta, thr
        self.v = None

    def reset(self):
        self.v = None

    def forward(self, current):
        if self.v is None:
            self.v = torch.zeros_like(current)
        self.v = self.beta * self.v + current
        spk = spike(self.v - self.thr)
        self.v = self.v - spk * self.thr
        return spk


class SpikingClassifier(nn.Module):
    def __init__(self, n_in=16, n_hid=24, n_out=4):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(n_in, n_hid), LIF(), nn.Linear(n_hid, n_hid), LIF(0.8))
        self.readout = nn.Linear(n_hid, n_out)
        self.out_lif = LIF(0.95)

    def forward(self, x):
        return self.out_lif(self.readout(self.features(x)))


def reset_net(net):
    for m in net.children():
        if hasattr(m, "reset"):
            m.reset()


def poisson(x, steps):
    return [(torch.rand_like(x) < x).float() for _ in range(steps)]


def run_batch(net, x, steps=8):
    counts = 0
    for frame in poisson(x, steps):
        counts = counts + net(frame)
    return counts


if __name__ == "__main__":
    torch.manual_seed(3)
    net = SpikingClassifier()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    images, labels = torch.rand(96, 16), torch.randint(0, 4, (96,))
    for epoch in range(2):
        hits = 0
        for i in range(0, 96, 16):
            reset_net(net)
            counts = run_batch(net, images[i:i + 16])
            loss = F.cross_entropy(counts, labels[i:i + 16])
            opt.zero_grad()
            loss.backward()  # raises
            opt.step()
            hits += (counts.argmax(1) == labels[i:i + 16]).sum().item()
        print(f"epoch {epoch}: acc {hits / 96:.3f}")
