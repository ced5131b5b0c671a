import torch
from lightning.fabric import Fabric
from torch import nn

fabric = Fabric(accelerator="cpu", devices=1)
cell = nn.GRUCell(3, 4)
cell, optimizer = fabric.setup(cell, torch.optim.SGD(cell.parameters(), lr=0.1))
state = torch.zeros(2, 4)
for batch in torch.randn(4, 2, 3):
    state = cell(batch, state.detach())
    optimizer.zero_grad()
    fabric.backward(state.mean())
    fabric.clip_gradients(cell, optimizer, max_norm=1.0)
    optimizer.step()
