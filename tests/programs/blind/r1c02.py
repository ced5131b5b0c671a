# judge: verdict only
# feature bank joins the loss once it is full
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Blobs(Dataset):
    def __init__(self, n=200, k=5, d=10):
        g = torch.Generator().manual_seed(5)
        self.y = torch.randint(0, k, (n,), generator=g)
        self.x = torch.randn(k, d, generator=g)[self.y] + 0.7 * torch.randn(n, d, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class CrossBatchMemory:
    def __init__(self, size, temperature=0.2):
        self.items = deque(maxlen=size)
        self.t = temperature

    @property
    def ready(self):
        return len(self.items) == self.items.maxlen

    def enqueue(self, feats, labels):
        self.items.append((F.normalize(feats, dim=1), labels))

    def contrast(self, feats, labels):
        keys = torch.cat([f for f, _ in self.items])
        key_labels = torch.cat([y for _, y in self.items])
        sim = F.normalize(feats, dim=1) @ keys.t() / self.t
        pos = (labels[:, None] == key_labels[None]).float()
        logp = sim.log_softmax(1)
        return -(logp * pos).sum(1).div(pos.sum(1).clamp(min=1)).mean()


class Net(nn.Module):
    def __init__(self, d=10, e=8, k=5):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(d, 16), nn.ReLU(), nn.Linear(16, e))
        self.cls = nn.Linear(e, k)

    def forward(self, x):
        f = self.embed(x)
        return f, self.cls(f)


def train():
    torch.manual_seed(0)
    loader = DataLoader(Blobs(), batch_size=20, shuffle=True)
    net, memory = Net(), CrossBatchMemory(size=4)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        tot = 0.0
        for x, y in loader:
            feats, logits = net(x)
            loss = F.cross_entropy(logits, y)
            if memory.ready:
                loss = loss + 0.5 * memory.contrast(feats, y)
            opt.zero_grad()
            loss.backward()  # raises
            opt.step()
            memory.enqueue(feats, y)
            tot += loss.item()
        print(f"epoch {epoch} loss {tot / len(loader):.3f}")


if __name__ == "__main__":
    train()
