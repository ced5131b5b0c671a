# judge: growth
# Spiking net never resets its membranes; retain_graph=True was added and the run 'works'
import torch
import torch.nn as nn

torch.manual_seed(0)


class ATanSpike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).float()

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad / (1 + (torch.pi * v) ** 2)


class LeakyLayer(nn.Module):
    def __init__(self, n_in, n_out, beta=0.9):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.beta = beta
        self.mem = None

    def init_leaky(self):
        self.mem = None

    def forward(self, x):
        cur = self.fc(x)
        self.mem = cur if self.mem is None else self.beta * self.mem + cur
        return ATanSpike.apply(self.mem - 1.0), self.mem


def forward_pass(layer, x, num_steps):
    rec = []
    for _ in range(num_steps):
        spk, mem = layer(x)
        rec.append(spk)
    return torch.stack(rec)


layer = LeakyLayer(16, 3)
optimizer = torch.optim.Adam(layer.parameters(), lr=5e-3)
for it in range(6):
    data, targets = torch.rand(8, 16), torch.randint(0, 3, (8,))
    spk_rec = forward_pass(layer, data, num_steps=4)
    loss = nn.functional.cross_entropy(spk_rec.sum(0), targets)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    print(it, round(loss.item(), 4))
