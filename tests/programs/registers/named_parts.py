# A ModuleList filled by add_module is gone through like any
import torch
import torch.nn as nn


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList()
        for n in range(3):
            self.heads.add_module(f"head{n}", nn.Linear(4, 1))

    def forward(self, x):
        return [head(x).mean() for head in self.heads]  # want: SP103


trunk, heads = nn.Sequential(nn.Linear(3, 4), nn.Tanh()), Heads()
for _ in range(2):
    for loss in heads(trunk(torch.randn(2, 3))):
        loss.backward()  # raises
