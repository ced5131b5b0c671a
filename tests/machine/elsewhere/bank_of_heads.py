import torch
from torch import nn
from torch.nn import functional as F


def fit_heads(models, optimizers, inputs, targets):
    shared = models["trunk"](inputs)
    for name, target in targets.items():
        loss = F.cross_entropy(models[name + "_head"](shared), target)  # want: SP103
        optimizers[name].zero_grad()
        loss.backward()  # raises
        optimizers[name].step()


# --- driver
models = {"trunk": nn.Linear(3, 4), "a_head": nn.Linear(4, 2), "b_head": nn.Linear(4, 2)}
opts = {k: torch.optim.SGD(models[k + "_head"].parameters(), 0.1) for k in "ab"}
fit_heads(models, opts, torch.randn(5, 3), {k: torch.zeros(5).long() for k in "ab"})
