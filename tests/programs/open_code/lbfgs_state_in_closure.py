import torch
from torch import nn


class Fit:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
        self.opt = torch.optim.LBFGS(self.net.parameters(), max_iter=4)
        self.x, self.y = torch.randn(8, 2), torch.randn(8, 1)
        self.last = None

    def closure(self):
        self.opt.zero_grad()
        loss = (self.net(self.x) - self.y).pow(2).mean()
        if self.last is not None:
            loss = loss + 0.1 * (loss - self.last).abs()  # want: SP101
        self.last = loss
        loss.backward()  # raises
        return loss

    def run(self):
        for _ in range(3):
            self.opt.step(self.closure)


Fit().run()
