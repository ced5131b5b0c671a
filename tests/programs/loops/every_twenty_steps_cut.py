import torch

cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
for step in range(200):
    h = cell(torch.randn(2, 3), h)
    if step % 5 == 0:
        h = h.detach()
    if (step + 1) % 20 == 0 and h.requires_grad:
        h.pow(2).mean().backward()
    if (step + 1) % 20 == 0:
        h = h.detach()
