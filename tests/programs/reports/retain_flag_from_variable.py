# judge: verdict only
# same loss backwarded n times; retain flag from a variable, kwargs forwarded by manual_backward
import torch
import torch.nn as nn

torch.manual_seed(0)


class ManualModule(nn.Module):
    def __init__(self, num_backward=3):
        super().__init__()
        self.layer = nn.Linear(8, 2)
        self.num_backward = num_backward
        self._optimizers = []

    def optimizers(self):
        return self._optimizers[0] if len(self._optimizers) == 1 else self._optimizers

    def manual_backward(self, loss, *args, **kwargs):
        loss.backward(*args, **kwargs)

    def loss(self, preds):
        return nn.functional.mse_loss(preds, torch.ones_like(preds))

    def step(self, x):
        return self.loss(self.layer(x))

    def toggle(self, opt):
        for p in self.parameters():
            p.requires_grad = any(p is q for g in opt.param_groups for q in g["params"])

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        loss = self.step(batch)
        for backward_idx in range(self.num_backward):
            retain_graph = (self.num_backward - 1) != backward_idx
            self.manual_backward(loss, retain_graph=retain_graph)
        before = self.layer.weight.clone()
        opt.step()
        opt.zero_grad()
        return float((self.layer.weight - before).abs().sum())


class TwoLossModule(ManualModule):
    def training_step(self, batch, batch_idx):
        opt_a, opt_b = self.optimizers()
        shared = self.layer(batch)
        loss_a = shared[:, 0].pow(2).mean()
        loss_b = shared[:, 1].abs().mean()
        last = batch_idx % 2 == 1
        self.manual_backward(loss_a, retain_graph=True)
        if last:
            self.manual_backward(loss_b)
        for opt in (opt_a, opt_b):
            opt.step()
            opt.zero_grad()
        return loss_a.item()


def fit(module, n_opt, batches):
    module._optimizers = [torch.optim.SGD(module.parameters(), lr=0.1) for _ in range(n_opt)]
    return [module.training_step(b, i) for i, b in enumerate(batches)]


data = [torch.randn(4, 8) for _ in range(4)]
print(fit(ManualModule(), 1, data))
print(fit(TwoLossModule(), 2, data))
