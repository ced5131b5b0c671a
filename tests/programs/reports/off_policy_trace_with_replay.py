# judge: verdict only
# ACER: the same lists are current and behaviour policies; trace carried backwards in time with detach on parts
import random
import torch
import torch.nn as nn

torch.manual_seed(0)
random.seed(0)


class Net(nn.Module):
    def __init__(self, obs=4, act=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 16), nn.ReLU())
        self.pi, self.q = nn.Linear(16, act), nn.Linear(16, act)

    def forward(self, x):
        h = self.body(x)
        policy = torch.softmax(self.pi(h), -1).clamp(max=1 - 1e-6)
        q = self.q(h)
        return policy, q, (policy * q).sum(-1, keepdim=True)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
episodes = []


def off_policy_loss(policies, q_values, values, actions, rewards, trace, masks, behaviour, clip=10):
    loss = 0
    for step in reversed(range(len(rewards))):
        ratio = policies[step].detach() / behaviour[step].detach()
        trace = rewards[step] + 0.99 * trace * masks[step]
        adv = trace - values[step]
        logp = policies[step].gather(1, actions[step]).log()
        rho = ratio.gather(1, actions[step])
        actor = -(rho.clamp(max=clip) * logp * adv.detach()).mean(0)
        correction = (1 - clip / ratio).clamp(min=0)
        actor -= (correction * policies[step].log() * (q_values[step] - values[step]).detach()).sum(1).mean(0)
        q = q_values[step].gather(1, actions[step])
        critic = ((trace - q) ** 2 / 2).mean(0)
        trace = rho.clamp(max=1) * (trace - q.detach()) + values[step].detach()
        loss += actor + critic
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def replay(n):
    traj = random.choice(episodes)
    states, actions, rewards, old, masks = map(list, zip(*traj))
    for _ in range(n):
        out = [model(s) for s in states]
        policies, qs, values = map(list, zip(*out))
        trace = model(states[-1])[2].detach()
        off_policy_loss(policies, qs, values, actions, rewards, trace, masks, old)


state = torch.randn(1, 4)
for frame in range(5):
    qs, values, policies, actions, rewards, masks, traj = [], [], [], [], [], [], []
    for step in range(5):
        policy, q, value = model(state)
        action = policy.multinomial(1)
        reward, mask = torch.randn(1, 1), torch.ones(1, 1)
        traj.append((state.detach(), action, reward, policy.detach(), mask))
        for buf, item in zip((qs, values, policies, actions, rewards, masks), (q, value, policy, action, reward, mask)):
            buf.append(item)
        state = torch.randn(1, 4)
    episodes.append(traj)
    off_policy_loss(policies, qs, values, actions, rewards, model(state)[2].detach(), masks, policies)
    replay(2)
