# judge: growth
# average meter sums live losses over the whole run
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self, name, fmt=":.4f"):
        self.name, self.fmt = name, fmt
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)

    def __str__(self):
        return ("{name} {avg" + self.fmt + "}").format(name=self.name, avg=float(self.avg))


def accuracy(logits, y):
    return (logits.argmax(1) == y).float().mean().item()


def build():
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5))


def main():
    torch.manual_seed(0)
    ds = TensorDataset(torch.randn(64, 1, 8, 8), torch.randint(0, 5, (64,)))
    loader = DataLoader(ds, batch_size=8, shuffle=True)
    model, ce = build(), nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    losses, top1 = AverageMeter("loss"), AverageMeter("acc")
    for epoch in range(5):
        for x, y in loader:
            logits = model(x)
            loss = ce(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.update(loss, x.size(0))
            top1.update(accuracy(logits, y), x.size(0))
        print(f"[{epoch}] {losses} {top1}")


if __name__ == "__main__":
    main()
