import torch
from torch import nn


class WorldModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.cell, self.decoder = nn.Linear(5, 4), nn.GRUCell(6, 8), nn.Linear(8, 5)
        self.reset(3)

    def reset(self, batch):
        self.deter = torch.zeros(batch, 8)

    def observe(self, obs, action):
        self.deter = self.cell(torch.cat([self.encoder(obs), action], -1), self.deter)  # want: SP101
        return self.decoder(self.deter)


class Learner:
    def __init__(self):
        self.model = WorldModel()
        self.opt = torch.optim.Adam(self.model.parameters())

    def train_on(self, episode):
        self.model.reset(3)
        for obs, action in episode:
            recon = self.model.observe(obs, action)
            loss = (recon - obs).pow(2).mean()
            self.opt.zero_grad(set_to_none=True)
            loss.backward()  # raises
            self.opt.step()


learner = Learner()
for _ in range(2):
    learner.train_on([(torch.randn(3, 5), torch.randn(3, 2)) for _ in range(4)])
