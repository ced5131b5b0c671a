import torch
from torch import nn
from torch.nn import functional as F


def penalty_once(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    penalty = sum(p.pow(2).sum() for p in net.parameters())
    for x, y in batches:
        loss = F.mse_loss(net(x), y) + 1e-3 * penalty  # want: SP103
        optimizer.zero_grad()
        loss.backward()  # raises
        optimizer.step()


def penalty_anew(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for x, y in batches:
        loss = F.mse_loss(net(x), y) + 1e-3 * net.head.weight.abs().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def frozen(encoder, heads, x, ys, optimizer):
    for p in encoder.parameters():
        p.requires_grad = False
    features = encoder(x)
    for head, y in zip(heads, ys, strict=True):
        F.mse_loss(head(features), y).backward()
    optimizer.step()


def evaluated(encoder, heads, x, ys, optimizer):
    encoder.eval()
    features = encoder(x)
    for head, y in zip(heads, ys, strict=True):
        F.mse_loss(head(features), y).backward()
    optimizer.step()


# --- driver
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(3, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.body(x).tanh())


def batches():
    return [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(3)]


penalty_anew(Net(), batches())
heads = [nn.Linear(4, 1), nn.Linear(4, 1)]
optimizer = torch.optim.SGD(nn.ModuleList(heads).parameters(), 0.1)
frozen(nn.Linear(3, 4), heads, torch.randn(5, 3), torch.randn(2, 5, 1), optimizer)
evaluated(nn.Linear(3, 4).requires_grad_(False), heads, torch.randn(5, 3), torch.randn(2, 5, 1), optimizer)
penalty_once(Net(), batches())
