# judge: verdict only
# Dataset pre-encodes its text column with an nn.Embedding in __init__; rows carry graphs into every epoch (put right)
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class HashedWords:
    def __init__(self, width, bins=64):
        self.bins = bins
        self.embedding = nn.Embedding(bins, width)

    def __call__(self, sentence):
        idx = torch.tensor([sum(map(ord, w)) % self.bins for w in sentence.split()])
        with torch.no_grad():
            return self.embedding(idx).mean(0)


class Reviews(Dataset):
    def __init__(self, rows, embedder):
        self.items = []
        for text, stars, label in rows:
            numeric = torch.tensor([float(stars)])
            self.items.append((torch.cat([embedder(text), numeric]), label))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Scorer(nn.Sequential):
    def __init__(self, in_dim):
        super().__init__(nn.Linear(in_dim, 16), nn.ReLU(), nn.Linear(16, 2))


words = ["good", "bad", "slow", "fast", "cheap", "solid", "broken", "late"]
rows = []
for i in range(20):
    picks = [words[j] for j in torch.randint(0, 8, (4,)).tolist()]
    rows.append((" ".join(picks), i % 5, i % 2))
loader = DataLoader(Reviews(rows, HashedWords(8)), batch_size=5, shuffle=True)
model = Scorer(9)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(1, 4):
    total = 0.0
    for feats, label in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(feats), label)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(label)
    print(f"epoch {epoch} loss {total / len(rows):.4f}")
