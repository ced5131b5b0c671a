import torch

net, opt = torch.nn.Linear(3, 1), None
opt = torch.optim.SGD(net.parameters(), lr=0.1)
buffer = []
for step in range(300):
    buffer.append(net(torch.randn(4, 3)).pow(2).mean())
    if len(buffer) == 128:
        opt.zero_grad()
        torch.stack(buffer).mean().backward()  # raises # want: SP104
        opt.step()
        buffer = buffer[64:]
