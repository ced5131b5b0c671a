import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
cell = nn.GRUCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
cell, optimizer = accelerator.prepare(cell, optimizer)
state = torch.zeros(2, 4)
for batch in torch.randn(9, 2, 3):
    with accelerator.accumulate(cell):
        state = cell(batch, state)  # want: SP101
        accelerator.backward(state.mean())  # raises
        optimizer.step()
        optimizer.zero_grad()
        if accelerator.sync_gradients:
            state = state.detach()
