import torch
from torch import nn
from torch.nn import functional as F


class Learner:
    def __init__(self, actor, critic, actor_optimizer, critic_optimizer):
        self.actor, self.critic = actor, critic
        self.actor_optimizer, self.critic_optimizer = actor_optimizer, critic_optimizer

    def learn(self, states, returns):
        values = self.critic(torch.cat([states, self.actor(states)], -1))
        critic_loss = F.mse_loss(self.critic(torch.cat([states, self.actor(states).detach()], -1)), returns)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        actor_loss = -values.mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()  # want: SP203  # raises: inplace
        self.actor_optimizer.step()


# --- driver
actor, critic = nn.Linear(3, 2), nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 1))
learner = Learner(actor, critic, *(torch.optim.SGD(n.parameters(), 0.1) for n in (actor, critic)))
learner.learn(torch.randn(6, 3), torch.randn(6, 1))
