# judge: verdict only
# Linear probe on fixed features: two criteria on one output, retain_graph on the first, optimizer.step() in between
import torch
import torch.nn as nn

torch.manual_seed(0)


class LinearProbe:
    """Fits a linear read-out with a main and an auxiliary criterion, stepped one after the other."""

    def __init__(self, dim, lr=1e-2):
        self.model = nn.Linear(dim, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.criteria = [("mse", nn.MSELoss()), ("huber", nn.HuberLoss(delta=0.5))]

    def fit_batch(self, feats, target):
        output = self.model(feats)
        report = {}
        for k, (name, criterion) in enumerate(self.criteria):
            loss = criterion(output, target)
            self.optimizer.zero_grad()
            loss.backward(retain_graph=k + 1 < len(self.criteria))
            self.optimizer.step()
            report[name] = round(loss.item(), 4)
        return report


def frozen_backbone(x):
    with torch.no_grad():
        return torch.cat([x, x.sin(), x.cos()], dim=1)


probe = LinearProbe(dim=9)
for step in range(4):
    x = torch.randn(20, 3)
    target = x.sum(1, keepdim=True) + 0.1 * torch.randn(20, 1)
    print(step, probe.fit_batch(frozen_backbone(x), target))
