import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.policy, self.value = nn.Linear(4, 2), nn.Linear(4, 1)

    def act(self, obs):
        dist = torch.distributions.Categorical(logits=self.policy(obs))
        action = dist.sample()
        return action, dist.log_prob(action), self.value(obs).squeeze(-1)

    def evaluate(self, obs, action):
        dist = torch.distributions.Categorical(logits=self.policy(obs))
        return dist.log_prob(action), dist.entropy(), self.value(obs).squeeze(-1)


class Buffer:
    def __init__(self):
        self.data = []

    def add(self, **step):
        self.data.append(step)

    def stacked(self, key):
        return torch.stack([d[key] for d in self.data])  # want: SP103


agent = Agent()
opt = torch.optim.Adam(agent.parameters())
buffer = Buffer()
for _ in range(6):
    obs = torch.randn(4)
    action, logp, value = agent.act(obs)
    buffer.add(obs=obs, action=action, logp=logp, value=value, reward=torch.rand(()))
returns = buffer.stacked("reward").flip(0).cumsum(0).flip(0)
for epoch in range(3):
    logp, entropy, value = agent.evaluate(buffer.stacked("obs"), buffer.stacked("action"))
    ratio = (logp - buffer.stacked("logp")).exp()
    adv = returns - buffer.stacked("value").detach()
    loss = -(ratio * adv).mean() + (returns - value).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # raises
    opt.step()
