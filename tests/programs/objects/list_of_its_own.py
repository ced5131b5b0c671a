# A class that derives from list keeps losses; they are never let go
import torch
import torch.nn as nn


class Losses(list):
    def note(self, loss):
        self.append(loss)
        return self

    @property
    def total(self):
        return sum(self)  # want: SP104


model = nn.Linear(3, 1)
losses = Losses()
for _ in range(3):
    losses.note(model(torch.randn(4, 3)).pow(2).mean())
    losses.total.backward()  # raises
