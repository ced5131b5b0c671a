# judge: verdict only
# MoCo: queue of live keys becomes negatives once it is long enough
import argparse
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TwoCrops:
    def __init__(self, sigma):
        self.sigma = sigma

    def __call__(self, x):
        return x + self.sigma * torch.randn_like(x), x * (torch.rand_like(x) > 0.2).float()


class Spectrograms(Dataset):
    def __init__(self, n, transform):
        g = torch.Generator().manual_seed(0)
        self.x, self.transform = torch.randn(n, 24, generator=g), transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.transform(self.x[i])


def build_encoder(dim):
    return nn.Sequential(nn.Linear(24, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, dim))


class MoCo(nn.Module):
    def __init__(self, dim=8, queue_batches=6, min_queue=3, m=0.99, T=0.2):
        super().__init__()
        self.m, self.T, self.min_queue = m, T, min_queue
        self.encoder_q = build_encoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        self.queue = deque(maxlen=queue_batches)

    @torch.no_grad()
    def momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    def negatives(self, k):
        if len(self.queue) < self.min_queue:
            return k.roll(1, 0)
        return torch.cat(list(self.queue))

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        self.momentum_update()
        k = F.normalize(self.encoder_k(im_k), dim=1)
        neg = self.negatives(k)
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ neg.t()
        self.queue.append(k)
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        return logits, torch.zeros(len(q), dtype=torch.long)


def adjust_learning_rate(optimizer, epoch, args):
    lr = args.lr * (0.1 ** sum(epoch >= m for m in args.schedule))
    for g in optimizer.param_groups:
        g["lr"] = lr
    return lr


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=0.03)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("-b", "--batch-size", type=int, default=16)
    ap.add_argument("--schedule", nargs="*", type=int, default=[2])
    ap.add_argument("--moco-k", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(0)
    model = MoCo(queue_batches=args.moco_k)
    opt = torch.optim.SGD(model.encoder_q.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    loader = DataLoader(Spectrograms(128, TwoCrops(0.1)), args.batch_size, shuffle=True, drop_last=True)
    crit = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        lr = adjust_learning_rate(opt, epoch, args)
        losses, top1 = [], []
        for im_q, im_k in loader:
            out, target = model(im_q, im_k)
            loss = crit(out, target)
            opt.zero_grad()
            loss.backward()  # raises
            opt.step()
            losses.append(loss.item())
            top1.append((out.argmax(1) == target).float().mean().item())
        print(f"epoch {epoch} lr {lr:.4f} loss {sum(losses) / len(losses):.3f} acc {sum(top1) / len(top1):.2f}")


if __name__ == "__main__":
    main()
