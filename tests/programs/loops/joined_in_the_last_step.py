import torch

net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
steps, first = 50, None
for step in range(steps):
    loss = net(torch.randn(4, 3)).pow(2).mean()
    if first is None:
        first = loss
    if step == steps - 1:
        loss = loss + first  # want: SP104
    opt.zero_grad()
    loss.backward()  # raises
    opt.step()
