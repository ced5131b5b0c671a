# judge: growth
# exponentially smoothed loss in a meter is a chain of graphs
import argparse
import datetime
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SmoothedValue:
    def __init__(self, beta=0.9, fmt="{value:.4f}"):
        self.beta, self.fmt = beta, fmt
        self.value = None
        self.count = 0

    def update(self, v):
        self.count += 1
        if self.value is None:
            self.value = v
        else:
            self.value = self.beta * self.value + (1 - self.beta) * v

    def __str__(self):
        return self.fmt.format(value=float(self.value))


class MetricLogger:
    def __init__(self, delimiter="  "):
        self.meters = {}
        self.delimiter = delimiter

    def update(self, **kw):
        for k, v in kw.items():
            self.meters.setdefault(k, SmoothedValue()).update(v)

    def log_every(self, iterable, print_freq, header):
        start = time.time()
        for i, obj in enumerate(iterable):
            yield obj
            if i % print_freq == 0:
                eta = str(datetime.timedelta(seconds=int(time.time() - start)))
                print(header, f"[{i}]", eta, self.delimiter.join(f"{k}: {m}" for k, m in self.meters.items()))


class SegNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 6, 3, padding=1), nn.ReLU())
        self.up = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(6, classes, 3, padding=1))
        self.aux = nn.Conv2d(6, classes, 1)

    def forward(self, x):
        h = self.down(x)
        aux = nn.functional.interpolate(self.aux(h), scale_factor=2)
        return {"out": self.up(h), "aux": aux}


def criterion(out, target):
    losses = {k: nn.functional.cross_entropy(v, target) for k, v in out.items()}
    return losses["out"] + 0.5 * losses["aux"]


def train_one_epoch(model, opt, sched, loader, metrics, epoch):
    model.train()
    for image, target in metrics.log_every(loader, 4, f"Epoch: [{epoch}]"):
        loss = criterion(model(image), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        metrics.update(loss=loss, lr=opt.param_groups[0]["lr"])


@torch.inference_mode()
def evaluate(model, loader, classes):
    model.eval()
    conf = torch.zeros(classes, classes, dtype=torch.long)
    for image, target in loader:
        pred = model(image)["out"].argmax(1)
        conf += torch.bincount(target.flatten() * classes + pred.flatten(), minlength=classes ** 2).view(classes, classes)
    inter = conf.diag().float()
    return (inter / (conf.sum(0) + conf.sum(1) - inter).clamp_min(1)).mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--lr", type=float, default=0.02)
    args = p.parse_args()
    torch.manual_seed(0)
    x = torch.rand(40, 1, 8, 8)
    y = (x[:, 0] > 0.5).long()
    tr = DataLoader(TensorDataset(x[:32], y[:32]), args.batch_size, shuffle=True)
    te = DataLoader(TensorDataset(x[32:], y[32:]), args.batch_size)
    model = SegNet(2)
    opt = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: (1 - s / (len(tr) * args.epochs + 1)) ** 0.9)
    metrics = MetricLogger()
    for epoch in range(args.epochs):
        train_one_epoch(model, opt, sched, tr, metrics, epoch)
        print("mIoU", round(evaluate(model, te, 2), 3))


if __name__ == "__main__":
    main()
