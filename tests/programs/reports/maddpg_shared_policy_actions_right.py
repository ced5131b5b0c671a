# judge: verdict only
# MADDPG: actions of all agents are computed once, each agent then steps its networks inside the loop (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class Agent:
    def __init__(self, obs_dim, act_dim, n_agents, lr=1e-3):
        joint = n_agents * (obs_dim + act_dim)
        self.actor = nn.Sequential(nn.Linear(obs_dim, 32), nn.ReLU(), nn.Linear(32, act_dim), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(joint, 32), nn.ReLU(), nn.Linear(32, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=lr)


class MADDPG:
    def __init__(self, n_agents=3, obs_dim=4, act_dim=2):
        self.agents = [Agent(obs_dim, act_dim, n_agents) for _ in range(n_agents)]

    def learn(self, obs, actions, targets):
        states = torch.cat(list(obs), dim=1)

        old_actions = torch.cat(list(actions), dim=1)
        report = []
        for idx, agent in enumerate(self.agents):
            q = agent.critic(torch.cat([states, old_actions], 1)).flatten()
            critic_loss = nn.functional.mse_loss(q, targets[idx])
            agent.critic_opt.zero_grad()
            critic_loss.backward(retain_graph=True)
            agent.critic_opt.step()

            mu = torch.cat([a.actor(o) for a, o in zip(self.agents, obs)], dim=1)
            actor_loss = -agent.critic(torch.cat([states, mu], 1)).flatten().mean()
            agent.actor_opt.zero_grad()
            actor_loss.backward(retain_graph=True)
            agent.actor_opt.step()
            report.append((critic_loss.item(), actor_loss.item()))
        return report


team = MADDPG()
for step in range(2):
    obs = torch.randn(3, 16, 4)
    actions = torch.rand(3, 16, 2) * 2 - 1
    print(step, team.learn(obs, actions, torch.randn(3, 16)))
