# judge: verdict only
# Per-step critic fit, end-of-episode policy update: stored surrogates still hold the critic's consumed graph
import torch
import torch.nn as nn

torch.manual_seed(0)


class ValueFunction(nn.Module):
    def __init__(self, obs_dim, lr=1e-2):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(obs_dim, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optim = torch.optim.SGD(self.parameters(), lr=lr)

    def forward(self, s):
        return self.layers(s)


class PolicyNetwork(nn.Module):
    def __init__(self, obs_dim, n_actions, lr=1e-2):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(obs_dim, 16), nn.ReLU(), nn.Linear(16, n_actions))
        self.optim = torch.optim.SGD(self.parameters(), lr=lr)

    def forward(self, s):
        return torch.softmax(self.layers(s), dim=-1)


class Agent:
    def __init__(self, obs_dim=3, n_actions=2, gamma=0.95):
        self.policy, self.value = PolicyNetwork(obs_dim, n_actions), ValueFunction(obs_dim)
        self.gamma = gamma

    def clipped_surrogate(self, probs, action, td):
        ratio = probs[action] / probs[action].detach()
        return torch.min(ratio * td, torch.clamp(ratio, 0.8, 1.2) * td)

    def run_episode(self, steps=6):
        state, surrogates = torch.randn(3), []
        for _ in range(steps):
            probs = self.policy(state)
            action = torch.multinomial(probs, 1).item()
            nxt, reward = torch.randn(3), float(action == 0)
            td = reward + self.gamma * self.value(nxt) - self.value(state)
            critic_loss = td.pow(2).mean()
            self.value.optim.zero_grad()
            critic_loss.backward()
            self.value.optim.step()
            surrogates.append(self.clipped_surrogate(probs, action, td))
            state = nxt
        return surrogates

    def improve(self, surrogates):
        objective = -torch.stack(surrogates).mean()
        self.policy.optim.zero_grad()
        objective.backward()  # raises
        self.policy.optim.step()


agent = Agent()
for episode in range(2):
    agent.improve(agent.run_episode())
    print("episode", episode, "done")
