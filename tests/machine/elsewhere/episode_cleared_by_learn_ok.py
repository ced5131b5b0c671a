import torch
from torch import nn


class Gambler:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), 0.01)
        self.said, self.won = [], []

    def bet(self, table):
        odds = torch.distributions.Categorical(logits=self.net(table))
        choice = odds.sample()
        self.said.append(odds.log_prob(choice))
        return choice

    def pay(self, amount):
        self.won.append(amount)

    def learn(self):
        loss = -(torch.stack(self.said) * torch.tensor(self.won)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        del self.said[:], self.won[:]


# --- driver
g = Gambler(nn.Linear(3, 2))
for _ in range(2):
    for _ in range(2):
        g.bet(torch.randn(3))
        g.pay(1.0)
    g.learn()
