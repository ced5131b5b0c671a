import torch

cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
chosen = {13, 57}
for step in range(100):
    h = cell(torch.randn(2, 3), h)  # want: SP101
    if step > 0 and step in chosen:
        h.pow(2).mean().backward()  # raises
