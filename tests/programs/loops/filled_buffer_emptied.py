import torch

net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
buffer, count = [], 0
for step in range(300):
    buffer.append(net(torch.randn(4, 3)).pow(2).mean())
    if len(buffer) == 100:
        opt.zero_grad()
        torch.stack(buffer).mean().backward()
        opt.step()
        count += len(buffer)
        buffer.clear()
assert count == 300
assert len(buffer) == 0
