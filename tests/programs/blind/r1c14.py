# judge: verdict only
# losses summed over k batches, walked once, then cleared
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Accumulator:
    def __init__(self, optimizer, every):
        self.optimizer, self.every = optimizer, every
        self.pending = None
        self.n = 0
        self.history = []

    def add(self, loss):
        self.pending = loss if self.pending is None else self.pending + loss
        self.n += 1
        if self.n == self.every:
            self.flush()

    def flush(self):
        if self.pending is None:
            return
        self.optimizer.zero_grad()
        mean = self.pending / self.n
        mean.backward()
        self.optimizer.step()
        self.history.append(mean.item())
        self.pending, self.n = None, 0


class TabNet(nn.Module):
    def __init__(self, n_num=5, cards=(4, 7)):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, 3) for c in cards)
        self.mlp = nn.Sequential(nn.Linear(n_num + 3 * len(cards), 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))

    def forward(self, num, cat):
        e = [emb(cat[:, i]) for i, emb in enumerate(self.embs)]
        return self.mlp(torch.cat([num, *e], 1)).squeeze(1)


torch.manual_seed(0)
num = torch.randn(110, 5)
cat = torch.stack([torch.randint(0, 4, (110,)), torch.randint(0, 7, (110,))], 1)
price = num[:, 0] * 2 + cat[:, 0].float() + 0.1 * torch.randn(110)
loader = DataLoader(TensorDataset(num, cat, price), batch_size=10, shuffle=True)

model = TabNet()
acc = Accumulator(torch.optim.Adam(model.parameters(), lr=1e-2), every=4)
total = 0
for epoch in range(4):
    epoch_loss = 0
    for a, b, y in loader:
        loss = nn.functional.mse_loss(model(a, b), y)
        acc.add(loss)
        epoch_loss += loss.detach()
    acc.flush()
    total += epoch_loss.item()
    print(f"epoch {epoch}: {epoch_loss / len(loader):.3f} updates={len(acc.history)}")
print(total)
