import torch

cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
for step in range(240):
    h = cell(torch.randn(2, 3), h)
    if step % 15 == 0:
        h = h.detach()
    if step % 40 == 39:
        h.pow(2).mean().backward()
