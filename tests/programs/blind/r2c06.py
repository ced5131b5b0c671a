# judge: verdict only
# spiking net: reset helper skips one kind of stateful layer
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def spike(v, slope=4.0):
    soft = torch.sigmoid(slope * v)
    return (v > 0).float() + soft - soft.detach()


class LIF(nn.Module):
    def __init__(self, tau=2.0, v_th=1.0):
        super().__init__()
        self.decay, self.v_th = 1 - 1 / tau, v_th
        self.v = None

    def reset(self):
        self.v = None

    def forward(self, x):
        if self.v is None:
            self.v = torch.zeros_like(x)
        self.v = self.decay * self.v + x
        s = spike(self.v - self.v_th)
        self.v = self.v - s.detach() * self.v_th
        return s


class RecurrentLIF(nn.Module):
    def __init__(self, n, tau=3.0, v_th=1.0):
        super().__init__()
        self.rec = nn.Linear(n, n, bias=False)
        self.decay, self.v_th = 1 - 1 / tau, v_th
        self.reset()

    def reset(self):
        self.v, self.s = None, None

    def forward(self, x):
        if self.v is None:
            self.v, self.s = torch.zeros_like(x), torch.zeros_like(x)
        self.v = self.decay * self.v * (1 - self.s) + x + self.rec(self.s)
        self.s = spike(self.v - self.v_th)
        return self.s


class SpeechSNN(nn.Module):
    def __init__(self, n_in, n_hid, n_cls):
        super().__init__()
        self.fc1, self.l1 = nn.Linear(n_in, n_hid), LIF()
        self.fc2, self.l2 = nn.Linear(n_hid, n_hid), RecurrentLIF(n_hid)
        self.head = nn.Linear(n_hid, n_cls)

    def forward(self, seq):
        out = 0
        for x in seq.unbind(1):
            out = out + self.head(self.l2(self.fc2(self.l1(self.fc1(x)))))
        return out / seq.size(1)


def reset_net(net):
    for m in net.modules():
        if isinstance(m, LIF):
            m.reset()


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    hit = n = 0
    for x, y in loader:
        hit += (net(x).argmax(1) == y).sum().item()
        n += len(y)
        reset_net(net)
    return hit / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-b", "--batch-size", type=int, default=16)
    ap.add_argument("-T", type=int, default=6)
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--lr", type=float, default=1e-2)
    args = ap.parse_args()
    torch.manual_seed(7)
    x = (torch.rand(128, args.T, 10) < 0.4).float()
    y = (x[:, :, :5].sum((1, 2)) > x[:, :, 5:].sum((1, 2))).long()
    train = DataLoader(TensorDataset(x[:96], y[:96]), args.batch_size, shuffle=True)
    test = DataLoader(TensorDataset(x[96:], y[96:]), args.batch_size)
    net = SpeechSNN(10, 20, 2)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    crit = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        net.train()
        for img, label in train:
            opt.zero_grad()
            loss = crit(net(img), label)
            loss.backward()  # raises
            opt.step()
            reset_net(net)
        print(f"epoch={epoch} loss={loss.item():.3f} acc={evaluate(net, test):.3f}")


if __name__ == "__main__":
    main()
