# judge: verdict only
# sliding window over the last losses: three of them already walked
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

ACCUM = 4
EPOCHS = 2
torch.manual_seed(123)


def collate(items):
    xs, ys = zip(*items)
    return torch.stack(xs), torch.stack(ys)


class TextCNN(nn.Module):
    def __init__(self, vocab=40, dim=10, classes=2, widths=(2, 3)):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(dim, 8, w) for w in widths)
        self.fc = nn.Linear(8 * len(widths), classes)

    def forward(self, ids):
        e = self.emb(ids).transpose(1, 2)
        pooled = [F.relu(c(e)).amax(-1) for c in self.convs]
        return self.fc(torch.cat(pooled, 1))


tokens = torch.randint(1, 40, (120, 9))
labels = (tokens.sum(1) % 2).long()
train_set, val_set = random_split(TensorDataset(tokens, labels), [96, 24])
train_loader = DataLoader(train_set, batch_size=6, shuffle=True, collate_fn=collate)
val_loader = DataLoader(val_set, batch_size=12, collate_fn=collate)

model = TextCNN()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)


def validate():
    model.eval()
    good = 0
    with torch.no_grad():
        for x, y in val_loader:
            good += (model(x).argmax(1) == y).sum().item()
    model.train()
    return good / len(val_set)


for epoch in range(EPOCHS):
    window = []
    updates = 0
    for x, y in train_loader:
        window.append(F.cross_entropy(model(x), y))
        if len(window) < ACCUM:
            continue
        optimizer.zero_grad()
        mean_loss = torch.stack(window).mean()
        mean_loss.backward()  # raises
        optimizer.step()
        updates += 1
        window = window[-(ACCUM - 1):]
    print(f"epoch {epoch}: {updates} updates, val acc {validate():.3f}")
