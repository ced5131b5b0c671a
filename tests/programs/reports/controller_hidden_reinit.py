# judge: verdict only
# hidden state on a non-Module controller, re-initialised by runner and learner; rollout runs with grad
import torch
import torch.nn as nn

torch.manual_seed(0)


class RNNAgent(nn.Module):
    def __init__(self, n_in=4, width=8, n_act=3):
        super().__init__()
        self.fc1, self.rnn, self.fc2 = nn.Linear(n_in, width), nn.GRUCell(width, width), nn.Linear(width, n_act)
        self.width = width

    def init_hidden(self):
        return self.fc1.weight.new(1, self.width).zero_()

    def forward(self, x, hidden):
        h = self.rnn(torch.relu(self.fc1(x)), hidden.reshape(-1, self.width))
        return self.fc2(h), h


class Controller:
    def __init__(self, n_agents):
        self.n_agents, self.agent, self.hidden_states = n_agents, RNNAgent(), None

    def init_hidden(self, bs):
        self.hidden_states = self.agent.init_hidden().unsqueeze(0).expand(bs, self.n_agents, -1)

    def forward(self, obs):
        q, self.hidden_states = self.agent(obs.reshape(-1, obs.size(-1)), self.hidden_states)
        return q.view(obs.size(0), self.n_agents, -1)

    def select_actions(self, obs):
        return self.forward(obs).max(-1)[1]


class Runner:
    def __init__(self, mac, T=6):
        self.mac, self.T = mac, T

    def run(self):
        self.mac.init_hidden(1)
        obs = torch.randn(1, self.T, self.mac.n_agents, 4)
        acts = torch.stack([self.mac.select_actions(obs[:, t]) for t in range(self.T)], 1)
        return obs, acts.unsqueeze(-1), torch.randn(1, self.T, 1)


class QLearner:
    def __init__(self, mac, target):
        self.mac, self.target = mac, target
        self.opt = torch.optim.RMSprop(mac.agent.parameters(), 1e-3)

    def unroll(self, mac, obs):
        mac.init_hidden(obs.size(0))
        return torch.stack([mac.forward(obs[:, t]) for t in range(obs.size(1))], 1)

    def train(self, obs, acts, rew):
        chosen = self.unroll(self.mac, obs)[:, :-1].gather(-1, acts[:, :-1]).squeeze(-1)
        nxt = self.unroll(self.target, obs)[:, 1:].max(-1)[0]
        td = chosen - (rew[:, :-1] + 0.9 * nxt).detach()
        self.opt.zero_grad()
        (td ** 2).mean().backward()
        self.opt.step()


mac = Controller(2)
runner, learner = Runner(mac), QLearner(mac, Controller(2))
for episode in range(5):
    learner.train(*runner.run())
