# judge: verdict only
# stateful spiking neurons, time loop inside the batch, reset_net over modules()
import torch
import torch.nn as nn

torch.manual_seed(0)


class SpikeFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x >= 0).to(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(4 * x)
        return grad * 4 * s * (1 - s)


class StatefulModule(nn.Module):
    def __init__(self):
        super().__init__()
        self._defaults = {}

    def register_memory(self, name, value):
        self._defaults[name] = value
        setattr(self, name, value)

    def reset(self):
        for name, value in self._defaults.items():
            setattr(self, name, value)


class IFNeuron(StatefulModule):
    def __init__(self, tau=2.0):
        super().__init__()
        self.tau = tau
        self.register_memory("v", 0.0)

    def forward(self, x):
        self.v = self.v + (x - self.v) / self.tau
        spike = SpikeFn.apply(self.v - 1.0)
        self.v = self.v * (1.0 - spike)
        return spike


def reset_net(net):
    for m in net.modules():
        if hasattr(m, "reset") and not isinstance(m, nn.Sequential):
            m.reset()


T = 5
net = nn.Sequential(nn.Linear(6, 12), IFNeuron(), nn.Linear(12, 3), IFNeuron())
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
loader = [(torch.rand(4, 6) * 3, torch.randint(0, 3, (4,))) for _ in range(4)]
for epoch in range(2):
    for img, label in loader:
        optimizer.zero_grad()
        target = nn.functional.one_hot(label, 3).float()
        out_fr = 0.0
        for t in range(T):
            out_fr = out_fr + net(img)
        out_fr = out_fr / T
        loss = nn.functional.mse_loss(out_fr, target)
        loss.backward()
        optimizer.step()
        reset_net(net)
