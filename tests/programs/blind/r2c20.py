# judge: verdict only
# plateau detector keeps the last few live losses in a bounded deque
import argparse
import math
from collections import deque

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class PlateauDetector:
    """Drops the learning rate when the recent window stops improving."""

    def __init__(self, optimizer, window=4, factor=0.5, tol=1e-3, cooldown=6):
        self.opt, self.factor, self.tol = optimizer, factor, tol
        self.recent = deque(maxlen=window)
        self.reference = math.inf
        self.cooldown, self.wait = cooldown, cooldown

    def __call__(self, loss):
        self.recent.append(loss)
        if len(self.recent) < self.recent.maxlen:
            return False
        mean = torch.stack(tuple(self.recent)).mean().item()
        self.wait -= 1
        if self.reference - mean > self.tol:
            self.reference = mean
        elif self.wait <= 0:
            for g in self.opt.param_groups:
                g["lr"] *= self.factor
            self.wait = self.cooldown
            return True
        return False


class KeywordSpotter(nn.Module):
    def __init__(self, mels=10, classes=4):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(mels, 16, 3, padding=1), nn.ReLU(), nn.Conv1d(16, 16, 3, padding=1), nn.ReLU())
        self.gru = nn.GRU(16, 12, batch_first=True)
        self.fc = nn.Linear(12, classes)

    def forward(self, x):
        _, h = self.gru(self.conv(x).transpose(1, 2))
        return self.fc(h[-1])


def spec_augment(x, width=2):
    f = torch.randint(0, x.size(1) - width, (1,)).item()
    x = x.clone()
    x[:, f:f + width] = 0
    return x


def synth(n, classes=4):
    y = torch.randint(0, classes, (n,))
    t = torch.arange(20.0)
    x = torch.sin(t * (y[:, None] + 1) * 0.3)[:, None] * torch.linspace(0.2, 1, 10)[None, :, None]
    return x + 0.3 * torch.randn(n, 10, 20), y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--window", type=int, default=4)
    args = ap.parse_args()
    torch.manual_seed(0)
    train = DataLoader(TensorDataset(*synth(128)), 16, shuffle=True)
    xv, yv = synth(48)
    model = KeywordSpotter()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    plateau = PlateauDetector(opt, args.window)
    crit = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(args.epochs):
        model.train()
        for x, y in train:
            loss = crit(model(spec_augment(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if plateau(loss):
                print("lr ->", opt.param_groups[0]["lr"])
        model.eval()
        with torch.no_grad():
            acc = (model(xv).argmax(1) == yv).float().mean()
        print(f"epoch {epoch}: {plateau.recent[-1].item():.3f} val acc {acc:.2f}")


if __name__ == "__main__":
    main()
