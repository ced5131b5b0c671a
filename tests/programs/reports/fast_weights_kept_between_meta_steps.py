# judge: verdict only
# Meta-learner keeps adapted (differentiable) fast weights on the learner; next meta-iteration adapts from them
import torch
import torch.nn as nn
from torch.func import functional_call

torch.manual_seed(0)


class FastLearner:
    def __init__(self, model, inner_lr=0.1):
        self.model = model
        self.inner_lr = inner_lr
        self.fast = dict(model.named_parameters())

    def reset(self):
        self.fast = dict(self.model.named_parameters())

    def predict(self, x):
        return functional_call(self.model, self.fast, (x,))

    def adapt(self, loss):
        grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
        self.fast = {k: w - self.inner_lr * g for (k, w), g in zip(self.fast.items(), grads)}


def sample_task():
    amp, phase = 1 + torch.rand(1), torch.rand(1)
    xs = torch.rand(10, 1) * 4 - 2
    ys = amp * torch.sin(xs + phase)
    return (xs[:5], ys[:5]), (xs[5:], ys[5:])


model = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
learner = FastLearner(model)
meta_opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for iteration in range(4):
    meta_opt.zero_grad()
    (xs, ys), (xq, yq) = sample_task()
    for _ in range(2):
        support_loss = nn.functional.mse_loss(learner.predict(xs), ys)
        learner.adapt(support_loss)
    query_loss = nn.functional.mse_loss(learner.predict(xq), yq)
    query_loss.backward()  # raises
    meta_opt.step()
    print(iteration, round(query_loss.item(), 4))
