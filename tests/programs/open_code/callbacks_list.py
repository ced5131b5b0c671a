import torch
from torch import nn


class Callback:
    def on_batch_end(self, trainer): ...


class Smoother(Callback):
    def __init__(self):
        self.value = 0.0

    def on_batch_end(self, trainer):
        self.value = 0.9 * self.value + 0.1 * trainer.loss
        trainer.extra = self.value


class Trainer:
    def __init__(self, callbacks):
        self.net = nn.Linear(3, 1)
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)
        self.callbacks, self.extra = callbacks, 0.0

    def fire(self, name):
        for cb in self.callbacks:
            getattr(cb, name)(self)

    def run(self, data):
        for x in data:
            self.loss = self.net(x).pow(2).mean() + 0.01 * self.extra  # want: SP101
            self.opt.zero_grad()
            self.loss.backward()  # raises
            self.opt.step()
            self.fire("on_batch_end")


Trainer([Smoother()]).run(torch.randn(4, 2, 3))
