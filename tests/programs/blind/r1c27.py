# judge: verdict only
# meta-learning: one initialisation from a hypernetwork, backward per task
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)

HID = 8
SHAPES = [(HID, 1), (HID,), (1, HID), (1,)]


class HyperInit(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, 16), nn.Tanh())
        sizes = [torch.Size(s).numel() for s in SHAPES]
        self.heads = nn.ModuleList(nn.Linear(16, n) for n in sizes)

    def forward(self, desc):
        h = self.trunk(desc)
        return [head(h).view(s) for head, s in zip(self.heads, SHAPES)]


def functional_net(x, params):
    w1, b1, w2, b2 = params
    return F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2)


def sinusoid_task():
    amp, phase = random.uniform(0.5, 2.0), random.uniform(0, 3.14)

    def sample(n):
        x = torch.empty(n, 1).uniform_(-3, 3)
        return x, amp * torch.sin(x + phase)

    return sample


def adapt(params, x, y, lr=0.05, steps=2):
    for _ in range(steps):
        loss = F.mse_loss(functional_net(x, params), y)
        grads = torch.autograd.grad(loss, params, create_graph=True)
        params = [p - lr * g for p, g in zip(params, grads)]
    return params


def meta_train(hyper, iterations=10, tasks_per_batch=4, shots=5):
    meta_opt = torch.optim.Adam(hyper.parameters(), lr=2e-3)
    descriptor = torch.randn(4)
    for it in range(iterations):
        tasks = [sinusoid_task() for _ in range(tasks_per_batch)]
        meta_opt.zero_grad()
        init = hyper(descriptor)
        log = []
        for task in tasks:
            fast = adapt(init, *task(shots))
            xq, yq = task(10)
            query_loss = F.mse_loss(functional_net(xq, fast), yq)
            (query_loss / len(tasks)).backward()  # raises
            log.append(query_loss.item())
        meta_opt.step()
        print(it, sum(log) / len(log))


meta_train(HyperInit())
