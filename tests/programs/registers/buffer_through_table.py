# A buffer is cut through the table of buffers
import torch
import torch.nn as nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.register_buffer("state", torch.zeros(2, 4))

    def forward(self, x):
        self.state = self.cell(x, self.state)
        return self.state


memory = Memory()
for _ in range(3):
    memory(torch.randn(2, 3)).mean().backward()
    for name, buffer in memory._buffers.items():
        memory._buffers[name] = buffer.detach()
