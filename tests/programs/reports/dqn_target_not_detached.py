# judge: verdict only
# DQN: TD target comes from the target network with gradients on, never detached, replay buffer holds transitions
import copy
import random
from collections import deque

import torch
import torch.nn as nn

torch.manual_seed(0)
random.seed(0)


class ValueLearner:
    def __init__(self, n_obs=4, n_actions=2, gamma=0.95, eps=0.3, copy_every=5):
        self.online = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_actions))
        self.lagged = copy.deepcopy(self.online)
        self.optimizer = torch.optim.RMSprop(self.online.parameters(), lr=1e-3)
        self.loss_fn = nn.MSELoss()
        self.memory = deque(maxlen=200)
        self.gamma, self.eps, self.copy_every, self.learned = gamma, eps, copy_every, 0

    def pick(self, obs):
        if random.random() < self.eps:
            return random.randrange(2)
        return int(self.online(obs).argmax())

    def remember(self, *transition):
        self.memory.append(transition)

    def replay(self, batch_size=8):
        if len(self.memory) < batch_size:
            return None
        obs, act, rew, nxt, done = map(list, zip(*random.sample(self.memory, batch_size)))
        idx = torch.arange(batch_size)
        estimate = self.online(torch.stack(obs))[idx, torch.tensor(act)]
        lagged = self.lagged(torch.stack(nxt)).max(dim=1)[0]
        wanted = torch.tensor(rew) + self.gamma * lagged * (1 - torch.tensor(done))
        loss = self.loss_fn(wanted, estimate)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.learned += 1
        if self.learned % self.copy_every == 0:
            self.lagged.load_state_dict(self.online.state_dict())
        return loss.item()


agent, obs = ValueLearner(), torch.randn(4)
for t in range(30):
    action = agent.pick(obs)
    nxt = torch.randn(4)
    agent.remember(obs, action, float(action == int(obs[0] > 0)), nxt, float(t % 10 == 9))
    loss = agent.replay()
    obs = nxt
print("last loss", loss)
