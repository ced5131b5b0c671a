import torch
from torch import nn
from torch.nn import functional as F


def train_step(judge_net, maker_net, judge_opt, maker_opt, real, noise):
    fake = maker_net(noise)
    judge_loss = judge_net(fake.detach()).mean() - judge_net(real).mean()
    judge_opt.zero_grad()
    judge_loss.backward()
    judge_opt.step()
    maker_loss = -judge_net(fake).mean()
    maker_opt.zero_grad()
    maker_loss.backward()
    maker_opt.step()


def two_optimizers_of_other_names(policy, value_net, optimizer, vf_optimizer, states, rewards):
    for state, reward in zip(states, rewards, strict=True):
        value = value_net(state)
        policy_loss = -(policy(state) * (reward - value).detach()).mean()
        value_loss = F.mse_loss(value, reward)
        optimizer.zero_grad()
        policy_loss.backward()
        optimizer.step()
        vf_optimizer.zero_grad()
        value_loss.backward()
        vf_optimizer.step()


# --- driver
def net(n, k):
    return nn.Sequential(nn.Linear(n, 4), nn.Tanh(), nn.Linear(4, k))


judge, maker = net(3, 1), net(2, 3)
opts = [torch.optim.SGD(one.parameters(), 0.1) for one in (judge, maker)]
for _ in range(2):
    train_step(judge, maker, *opts, torch.randn(5, 3), torch.randn(5, 2))
policy, value = net(3, 1), net(3, 1)
opts = [torch.optim.SGD(one.parameters(), 0.1) for one in (policy, value)]
two_optimizers_of_other_names(policy, value, *opts, torch.randn(3, 5, 3), torch.randn(3, 5, 1))
