# judge: verdict only
# detach method of a recurrent neuron forgets one of its three states (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class RecurrentSynaptic(nn.Module):
    instances = []

    def __init__(self, size, alpha=0.9, beta=0.8):
        super().__init__()
        self.alpha, self.beta = alpha, beta
        self.recurrent = nn.Linear(size, size)
        self.clear()
        RecurrentSynaptic.instances.append(self)

    def clear(self):
        self.spk, self.syn, self.mem = torch.zeros(1), torch.zeros(1), torch.zeros(1)

    def forward(self, x):
        if self.spk.shape != x.shape:
            self.spk, self.syn, self.mem = torch.zeros_like(x), torch.zeros_like(x), torch.zeros_like(x)
        self.syn = self.alpha * self.syn + x + self.recurrent(self.spk)
        self.mem = self.beta * self.mem + self.syn
        self.spk = torch.sigmoid(5 * (self.mem - 1))
        return self.spk

    @classmethod
    def detach_hidden(cls):
        for layer in cls.instances:
            layer.syn.detach_()
            layer.mem.detach_()
            layer.spk.detach_()

    @classmethod
    def reset_hidden(cls):
        for layer in cls.instances:
            layer.clear()


net = nn.Sequential(nn.Linear(5, 8), RecurrentSynaptic(8), nn.Linear(8, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
num_steps, K = 6, 2
for data, target in [(torch.rand(4, 5), torch.randint(0, 3, (4,))) for _ in range(2)]:
    RecurrentSynaptic.reset_hidden()
    outs = []
    for step in range(num_steps):
        outs.append(net(data))
        if (step + 1) % K == 0:
            loss = criterion(torch.stack(outs).mean(0), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            RecurrentSynaptic.detach_hidden()
            outs = []
