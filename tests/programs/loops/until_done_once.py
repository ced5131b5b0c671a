import torch

torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for episode in range(3):
    losses, going = [], True
    while going:
        losses.append(net(torch.randn(4, 3)).pow(2).mean())
        if torch.rand(()) > 0.7 or len(losses) == 40:
            going = False
    opt.zero_grad()
    torch.stack(losses).mean().backward()
    opt.step()
