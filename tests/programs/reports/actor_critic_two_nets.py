# judge: verdict only
# Actor and critic are separate networks: two backward calls in one step, TD error detached for the actor
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(0)


def tower(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, n_out))


class OneStepActorCritic:
    def __init__(self, n_obs, n_moves, gamma=0.99):
        self.pi, self.v, self.gamma = tower(n_obs, n_moves), tower(n_obs, 1), gamma
        self.pi_opt = torch.optim.Adam(self.pi.parameters(), lr=1e-3)
        self.v_opt = torch.optim.Adam(self.v.parameters(), lr=1e-3)

    def move(self, obs):
        dist = Categorical(logits=self.pi(obs))
        choice = dist.sample()
        return choice.item(), dist.log_prob(choice)

    def losses(self, obs, logp, gain, after, over):
        surprise = gain + self.gamma * (1 - over) * self.v(after) - self.v(obs)
        return -logp * surprise.detach(), surprise.pow(2)

    def learn(self, obs, logp, gain, after, over):
        pi_loss, v_loss = self.losses(obs, logp, gain, after, over)
        for opt, loss in ((self.pi_opt, pi_loss), (self.v_opt, v_loss)):
            opt.zero_grad()
            loss.backward()
            opt.step()


agent = OneStepActorCritic(8, 3)
for episode in range(2):
    obs, total = torch.randn(8), 0.0
    for t in range(6):
        choice, logp = agent.move(obs)
        after, gain = torch.randn(8), float(choice == 1)
        agent.learn(obs, logp, gain, after, float(t == 5))
        obs, total = after, total + gain
    print(episode, total)
