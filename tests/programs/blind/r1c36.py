# judge: verdict only
# forecaster resets its state per batch only during the first epochs
import logging
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("load-forecast")

cfg = SimpleNamespace(window=12, hidden=10, lr=3e-3, epochs=5, warm_epochs=2, batch=8)


def make_series(n=140):
    t = np.arange(n)
    s = np.sin(t / 6.0) + 0.3 * np.sin(t / 2.5) + 0.05 * np.random.RandomState(0).randn(n)
    return s.astype("float32")


def windows(series, w):
    xs = np.stack([series[i:i + w] for i in range(len(series) - w)])
    ys = series[w:]
    return TensorDataset(torch.from_numpy(xs).unsqueeze(-1), torch.from_numpy(ys))


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x, h=None):
        out, h = self.gru(x, h)
        return self.head(out[:, -1]).squeeze(-1), h


class Runner:
    def __init__(self, model, loader, cfg):
        self.model, self.loader, self.cfg = model, loader, cfg
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.loss_fn = nn.SmoothL1Loss()
        self.hidden = None
        self.epoch = 0

    def _prepare(self):
        if self.epoch < self.cfg.warm_epochs:
            self.hidden = None

    def fit(self):
        while self.epoch < self.cfg.epochs:
            self.hidden = None
            losses = []
            for x, y in self.loader:
                self._prepare()
                self.opt.zero_grad()
                pred, self.hidden = self.model(x, self.hidden)
                loss = self.loss_fn(pred, y)
                loss.backward()  # raises
                self.opt.step()
                losses.append(loss.item())
            log.info("epoch %d loss %.4f", self.epoch, np.mean(losses))
            self.epoch += 1


torch.manual_seed(0)
data = windows(make_series(), cfg.window)
loader = DataLoader(data, batch_size=cfg.batch, shuffle=False, drop_last=True)
Runner(Forecaster(cfg.hidden), loader, cfg).fit()
