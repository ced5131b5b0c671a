import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.cells = nn.ModuleDict({"a": nn.GRUCell(3, 4), "b": nn.GRUCell(3, 4)})
        self.states = {name: torch.zeros(2, 4) for name in self.cells}
        self.opt = torch.optim.Adam(self.cells.parameters())

    def cut(self):
        self.states = {name: state.detach() for name, state in self.states.items()}

    def step(self, x):
        loss = 0.0
        for name, cell in self.cells.items():
            self.states[name] = cell(x, self.states[name])
            loss = loss + self.states[name].pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.cut()
        return loss.item()


trainer = Trainer()
for x in torch.randn(4, 2, 3):
    trainer.step(x)
