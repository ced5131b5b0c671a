# judge: verdict only
# rollouts run with grad, the graph is dropped by detach after cat; many PPO backwards
import torch
import torch.nn as nn

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
        self.critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.zeros(1, 2))

    def forward(self, x):
        mu = self.actor(x)
        return torch.distributions.Normal(mu, self.log_std.exp().expand_as(mu)), self.critic(x)


def gae(next_value, rewards, masks, values, gamma=0.99, tau=0.95):
    values = values + [next_value]
    g, returns = 0, []
    for step in reversed(range(len(rewards))):
        delta = rewards[step] + gamma * values[step + 1] * masks[step] - values[step]
        g = delta + gamma * tau * masks[step] * g
        returns.insert(0, g + values[step])
    return returns


def minibatches(size, *tensors):
    n = tensors[0].size(0)
    for _ in range(n // size):
        ids = torch.randint(0, n, (size,))
        yield tuple(t[ids] for t in tensors)


def ppo_update(epochs, size, states, actions, old_logp, returns, advantages, clip=0.2):
    for _ in range(epochs):
        for s, a, lp, ret, adv in minibatches(size, states, actions, old_logp, returns, advantages):
            dist, value = model(s)
            entropy = dist.entropy().mean()
            ratio = (dist.log_prob(a) - lp).exp()
            actor_loss = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
            loss = 0.5 * (ret - value).pow(2).mean() + actor_loss - 0.001 * entropy
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
frame_idx, early_stop = 0, False
state = torch.randn(3, 4)
while frame_idx < 24 and not early_stop:
    log_probs, values, states, actions, rewards, masks, entropy = [], [], [], [], [], [], 0
    for _ in range(6):
        dist, value = model(state)
        action = dist.sample()
        log_prob = dist.log_prob(action)
        entropy += dist.entropy().mean()
        log_probs.append(log_prob)
        values.append(value)
        rewards.append(torch.randn(3, 1))
        masks.append(torch.ones(3, 1))
        states.append(state)
        actions.append(action)
        state = torch.randn(3, 4)
        frame_idx += 1
    _, next_value = model(state)
    returns = torch.cat(gae(next_value, rewards, masks, values)).detach()
    log_probs = torch.cat(log_probs).detach()
    values = torch.cat(values).detach()
    ppo_update(3, 6, torch.cat(states), torch.cat(actions), log_probs, returns, returns - values)
