# judge: verdict only
# Spiking actor resets the membranes of its MLP in forward but those of its population encoder never (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class Leaky(nn.Module):
    def __init__(self, beta=0.9, threshold=1.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold
        self.mem = None

    def forward(self, current):
        if self.mem is None:
            self.mem = torch.zeros_like(current)
        self.mem = self.beta * self.mem + current
        spike = torch.sigmoid(10 * (self.mem - self.threshold))
        self.mem = self.mem - spike.detach() * self.threshold
        return spike


def reset(net):
    for m in net.modules():
        if isinstance(m, Leaky):
            m.mem = None


class PopulationEncoder(nn.Module):
    def __init__(self, obs_dim, pop):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs_dim, pop), Leaky(0.8))

    def forward(self, obs, steps):
        reset(self.net)
        return torch.stack([self.net(obs) for _ in range(steps)])


class SpikingMLP(nn.Module):
    def __init__(self, pop, act_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(pop, 16), Leaky(), nn.Linear(16, act_dim))

    def forward(self, spikes):
        reset(self.net)
        return sum(self.net(s) for s in spikes) / len(spikes)


encoder, mlp = PopulationEncoder(3, 12), SpikingMLP(12, 2)
params = list(encoder.parameters()) + list(mlp.parameters())
optim = torch.optim.Adam(params, lr=1e-2)
obs = torch.randn(32, 3)
with torch.no_grad():
    actions = mlp(encoder(obs, 4)).argmax(-1)
reset(encoder)
returns = torch.randn(32)
for epoch in range(2):
    for idx in torch.arange(32).split(8):
        logp = torch.log_softmax(mlp(encoder(obs[idx], 4)), -1)
        chosen = logp.gather(1, actions[idx, None]).squeeze(1)
        loss = -(chosen * returns[idx]).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
