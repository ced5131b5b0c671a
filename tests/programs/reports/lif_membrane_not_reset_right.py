# judge: verdict only
# Spiking net: neurons keep membrane potential v between batches because reset is never called (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class SoftStep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x >= 0).float()

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return grad_out / (1 + (torch.pi * x).pow(2))


class LeakyNeuron(nn.Module):
    def __init__(self, tau=2.0, fire_at=1.0, cut_reset=True):
        super().__init__()
        self.tau, self.fire_at, self.cut_reset = tau, fire_at, cut_reset
        self.v = 0.0

    def forward(self, x):
        self.v = self.v + (x - self.v) / self.tau
        spike = SoftStep.apply(self.v - self.fire_at)
        drop = spike.detach() if self.cut_reset else spike
        self.v = self.v - drop * self.fire_at
        return spike


def reset_net(module):
    for m in module.modules():
        if isinstance(m, LeakyNeuron):
            m.v = 0.0


def accuracy(firing, label):
    return (firing.argmax(1) == label).float().mean().item()


net = nn.Sequential(nn.Linear(10, 24), LeakyNeuron(), nn.Linear(24, 4), LeakyNeuron())
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
T = 6

for epoch in range(2):
    for step in range(3):
        image = torch.rand(8, 10)
        label = torch.randint(0, 4, (8,))
        optimizer.zero_grad()
        reset_net(net)
        firing = sum(net(torch.bernoulli(image)) for _ in range(T)) / T
        loss = nn.functional.mse_loss(firing, nn.functional.one_hot(label, 4).float())
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4), accuracy(firing, label))
