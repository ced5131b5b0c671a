import torch
from torch import nn


def train_step(judge_net, maker_net, judge_opt, maker_opt, real, noise):
    fake = maker_net(noise)
    verdict = judge_net(fake)
    judge_loss = judge_net(fake.detach()).mean() - judge_net(real).mean()
    judge_opt.zero_grad()
    judge_loss.backward()
    judge_opt.step()
    maker_loss = -verdict.mean()
    maker_opt.zero_grad()
    maker_loss.backward()  # want: SP203  # raises: inplace
    maker_opt.step()


# --- driver
judge, maker = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), nn.Linear(2, 3)
opts = [torch.optim.SGD(net.parameters(), 0.1) for net in (judge, maker)]
train_step(judge, maker, *opts, torch.randn(5, 3), torch.randn(5, 2))
