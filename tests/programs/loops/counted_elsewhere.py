import torch


class Trainer:
    def __init__(self, every):
        self.cell = torch.nn.GRUCell(3, 4)
        self.every = every
        self.seen = 0

    def due(self):
        return self.seen > 0 and self.seen % self.every == 0

    def run(self, steps):
        h = torch.zeros(2, 4)
        while self.seen < steps:
            h = self.cell(torch.randn(2, 3), h)  # want: SP101
            if self.due():
                h.pow(2).mean().backward()  # raises
            self.seen += 1


Trainer(33).run(100)
