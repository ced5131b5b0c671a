import torch
from lightning.fabric import Fabric
from torch import nn

fabric = Fabric(accelerator="cpu", devices=1)
cell = nn.GRUCell(3, 4)
cell, optimizer = fabric.setup(cell, torch.optim.SGD(cell.parameters(), lr=0.1))
state = torch.zeros(2, 4)
for batch in torch.randn(4, 2, 3):
    state = cell(batch, state)  # want: SP101
    optimizer.zero_grad()
    fabric.backward(state.mean())  # raises
    optimizer.step()
