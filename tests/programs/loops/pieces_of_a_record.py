import torch
from torch import nn

recall, read = nn.Linear(6, 6), nn.Linear(6, 1)
memory = torch.zeros(3, 6)
record = torch.randn(3, 31)
for piece in record[:, 1:].split(6, 1):
    loss = read(piece * memory).pow(2).mean()  # want: SP101
    memory = torch.sigmoid(recall(memory))
    loss.backward()  # raises
