# An object that is gone through by its own __iter__ and __len__
import torch
import torch.nn as nn


class Windows:
    def __init__(self, series, size):
        self.series, self.size = series, size

    def __len__(self):
        return len(self.series) // self.size

    def __iter__(self):
        for i in range(len(self)):
            yield self.series[i * self.size : (i + 1) * self.size]  # want: SP103


encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
windows = Windows(encoder(torch.randn(12, 3)).tanh(), 4)
print(len(windows))
for window in windows:
    head(window).mean().backward()  # raises
