import torch

torch.manual_seed(0)
cell = torch.nn.GRUCell(3, 4)
h, done, rounds = torch.zeros(2, 4), False, 0
while not done:
    h = cell(torch.randn(2, 3), h)  # want: SP101
    h.pow(2).mean().backward()  # raises
    rounds += 1
    if torch.rand(()) > 0.99 or rounds == 1000:
        done = True
