# judge: verdict only
# FPTT: backward, step, detach states, deepcopy, second backward, restore states
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self._memories = {}


class LeakyUnit(Memory):
    def __init__(self, tau=2.0):
        super().__init__()
        self.tau = tau
        self._memories["v"] = 0.0

    def forward(self, x):
        v = self._memories["v"]
        v = v + (x - v) / self.tau
        spike = torch.sigmoid(4 * (v - 0.5))
        self._memories["v"] = v - spike * 0.5
        return spike


def detach_net(net):
    for m in net.modules():
        if isinstance(m, Memory):
            for key, value in m._memories.items():
                if isinstance(value, torch.Tensor):
                    m._memories[key] = value.detach()


def reset_net(net):
    for m in net.modules():
        if isinstance(m, Memory):
            m._memories["v"] = 0.0


def online_fit(model, optimizer, x_seq, y_seq, alpha, anchors):
    params = [p for g in optimizer.param_groups for p in g["params"]]
    prev_grads = [0.0] * len(params)
    memory_modules = tuple(m for m in model.modules() if isinstance(m, Memory))
    for t, x_t in enumerate(x_seq):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x_t), y_seq[t])
        loss += (alpha / 2) * sum(F.mse_loss(p, anchors[i] + prev_grads[i] / (2 * alpha)) for i, p in enumerate(params))
        loss.backward()
        optimizer.step()
        detach_net(model)
        states = [copy.deepcopy(m._memories) for m in memory_modules]
        optimizer.zero_grad()
        if t < x_seq.shape[0] - 1:
            loss_t = F.mse_loss(model(x_t), y_seq[t])
            loss_t.backward()
            with torch.no_grad():
                for i, p in enumerate(params):
                    prev_grads[i] = p.grad
                    anchors[i] = (anchors[i] + p) / 2.0 - p.grad / (2.0 * alpha)
        optimizer.zero_grad()
        for m, state in zip(memory_modules, states):
            m._memories = state


net = nn.Sequential(nn.Linear(6, 8), LeakyUnit(), nn.Linear(8, 2), LeakyUnit())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
anchors = [p.detach().clone() for p in net.parameters()]
for epoch in range(3):
    online_fit(net, opt, torch.rand(5, 3, 6), torch.rand(5, 3, 2), 0.1, anchors)
    reset_net(net)
