# judge: verdict only
# Class prototypes kept as an exponential moving average of features and used in the next batch's loss
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class PrototypeBank:
    def __init__(self, classes, dim, momentum=0.9):
        self.momentum = momentum
        self.centers = [torch.zeros(dim) for _ in range(classes)]

    def update(self, feats, labels):
        for c in labels.unique().tolist():
            mask = labels == c
            self.centers[c] = self.momentum * self.centers[c] + (1 - self.momentum) * feats[mask].mean(0)

    def pull(self, feats, labels):
        picked = torch.stack([self.centers[c] for c in labels.tolist()])
        return F.mse_loss(feats, picked)


class Net(nn.Module):
    def __init__(self, dim=16, classes=3):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, dim))
        self.classifier = nn.Linear(dim, classes)

    def forward(self, x):
        feats = self.features(x)
        return feats, self.classifier(feats)


def train(net, bank, batches, lr=0.05, weight=0.1):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for i, (x, y) in enumerate(batches):
        feats, logits = net(x)
        loss = F.cross_entropy(logits, y) + weight * bank.pull(feats, y)
        optimizer.zero_grad()
        loss.backward()  # raises
        optimizer.step()
        bank.update(feats, y)
        print(i, round(loss.item(), 4))


batches = [(torch.randn(12, 10), torch.randint(0, 3, (12,))) for _ in range(3)]
train(Net(), PrototypeBank(3, 16), batches)
