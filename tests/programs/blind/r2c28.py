# judge: verdict only
# home-made loss scaler retries the backward after an overflow
import argparse
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

logger = logging.getLogger("asr")


class Utterances(Dataset):
    """Log-mel frames; a few recordings are clipped and very loud."""

    def __init__(self, n, frames, mels, loud_every):
        g = torch.Generator().manual_seed(11)
        self.x = torch.randn(n, frames, mels, generator=g)
        self.x[loud_every - 1::loud_every] *= 300.0
        self.y = torch.randint(1, 6, (n, 3), generator=g)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class CTCModel(nn.Module):
    def __init__(self, mels, hidden, vocab):
        super().__init__()
        self.front = nn.Conv1d(mels, hidden, 3, padding=1)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, x):
        h = self.front(x.transpose(1, 2)).transpose(1, 2)
        return F.log_softmax(self.out(self.rnn(h)[0]), dim=-1)


class LossScaler:
    MAX_HALF = 65504.0

    def __init__(self, params, init=2.0 ** 15, growth_interval=8):
        self.params, self.scale, self.interval = list(params), init, growth_interval
        self.good = 0

    def overflow(self):
        for p in self.params:
            if p.grad is not None and not bool((p.grad.abs() < self.MAX_HALF).all()):
                return True
        return False

    def unscale(self):
        for p in self.params:
            if p.grad is not None:
                p.grad.div_(self.scale)

    def backward(self, loss):
        while True:
            (loss * self.scale).backward()  # raises
            if not self.overflow():
                break
            for p in self.params:
                p.grad = None
            self.scale /= 2.0
            self.good = 0
            logger.warning("gradient overflow, reducing scale to %g", self.scale)
        self.good += 1
        self.unscale()
        if self.good % self.interval == 0:
            self.scale *= 2.0


def greedy(logp):
    ids = logp.argmax(-1)
    return [[int(v) for v in torch.unique_consecutive(row) if v > 0] for row in ids]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--batch-size", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--init-scale", type=float, default=2.0 ** 15)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(0)
    loader = DataLoader(Utterances(32, 12, 8, 15), args.batch_size)
    model = CTCModel(8, 12, 6)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    scaler = LossScaler(model.parameters(), args.init_scale)
    for epoch in range(args.epochs):
        for i, (x, y) in enumerate(loader):
            logp = model(x)
            T, B, _ = logp.transpose(0, 1).shape
            loss = F.ctc_loss(logp.transpose(0, 1), y, torch.full((B,), T), torch.full((B,), 3))
            opt.zero_grad()
            scaler.backward(loss)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            if i % 3 == 0:
                logger.info("epoch %d it %d loss %.3f scale %g", epoch, i, loss.item(), scaler.scale)
        logger.info("sample %s", greedy(logp[:1].detach()))


if __name__ == "__main__":
    main()
