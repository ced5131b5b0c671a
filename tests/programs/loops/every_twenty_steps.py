import torch

cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
for step in range(200):
    h = cell(torch.randn(2, 3), h)  # want: SP101
    if (step + 1) % 20 == 0:
        h.pow(2).mean().backward()  # raises
