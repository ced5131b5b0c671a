import numpy as np
import torch
from skorch import NeuralNetRegressor
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(3, 4), nn.Linear(4, 1)
        self.state = torch.zeros(4, 4)

    def forward(self, X):
        self.state = self.cell(X, self.state)  # want: SP101
        return self.head(self.state)


net = NeuralNetRegressor(Memory, max_epochs=2, batch_size=4, train_split=None, verbose=0)
net.fit(np.random.randn(16, 3).astype("float32"), np.random.randn(16, 1).astype("float32"))  # raises
