# judge: verdict only
# subclass keeps its state under another name than the base class cuts
import abc

import torch
from torch import nn

REGISTRY = {}


def register(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


class StatefulBase(nn.Module, abc.ABC):
    def __init__(self, n_in, n_hid, n_out):
        super().__init__()
        self.n_hid = n_hid
        self.head = nn.Linear(n_hid, n_out)
        self.state = None
        self.build(n_in, n_hid)

    @abc.abstractmethod
    def build(self, n_in, n_hid):
        ...

    @abc.abstractmethod
    def features(self, x):
        ...

    def forward(self, x):
        return self.head(self.features(x))

    def reset(self):
        self.state = None

    def cut(self):
        if self.state is not None:
            self.state = self.state.detach()


@register("gru")
class GRUModel(StatefulBase):
    def build(self, n_in, n_hid):
        self.rnn = nn.GRU(n_in, n_hid, batch_first=True)

    def features(self, x):
        y, self.state = self.rnn(x, self.state)
        return y


@register("lstm")
class LSTMModel(StatefulBase):
    def build(self, n_in, n_hid):
        self.rnn = nn.LSTM(n_in, n_hid, batch_first=True)
        self.memory = None

    def features(self, x):
        y, self.memory = self.rnn(x, self.memory)
        return y

    def reset(self):
        self.memory = None


def train(cfg):
    torch.manual_seed(cfg["seed"])
    model = REGISTRY[cfg["model"]](2, cfg["hidden"], 1)
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    t = torch.linspace(0, 12, 121)
    signal = torch.stack([t.sin(), (2 * t).cos()], -1).unsqueeze(0).repeat(3, 1, 1)
    target = (signal[..., :1] * signal[..., 1:]).roll(-1, 1)
    for epoch in range(cfg["epochs"]):
        model.reset()
        acc = 0.0
        for s in range(0, 120, cfg["chunk"]):
            model.cut()
            pred = model(signal[:, s:s + cfg["chunk"]])
            loss = (pred - target[:, s:s + cfg["chunk"]]).pow(2).mean()
            opt.zero_grad()
            loss.backward()  # raises
            opt.step()
            acc += loss.item()
        print(cfg["model"], epoch, round(acc, 4))


if __name__ == "__main__":
    train({"model": "lstm", "hidden": 12, "lr": 5e-3, "epochs": 2, "chunk": 20, "seed": 0})
