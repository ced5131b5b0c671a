# judge: verdict only
# lru_cache over a frozen encoder reused by every epoch
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, n=36):
        words = "the a quick slow red blue fox dog runs sleeps well badly".split()
        g = torch.Generator().manual_seed(3)
        idx = torch.randint(0, len(words), (n, 5), generator=g)
        self.text = [" ".join(words[i] for i in row) for row in idx.tolist()]
        self.label = (idx[:, 0] % 2).tolist()
        self.vocab = {w: i for i, w in enumerate(words)}

    def __len__(self):
        return len(self.text)

    def __getitem__(self, i):
        return self.text[i], self.label[i]


class FrozenEncoder(nn.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        self.vocab = vocab
        self.emb = nn.Embedding(len(vocab), dim)
        self.layer = nn.TransformerEncoderLayer(dim, 2, 32, dropout=0.0, batch_first=True)
        self.requires_grad_(False)

    @functools.lru_cache(maxsize=512)
    def encode(self, sentence):
        ids = torch.tensor([[self.vocab[w] for w in sentence.split()]])
        return self.layer(self.emb(ids)).mean(1).squeeze(0)

    def forward(self, sentences):
        return torch.stack([self.encode(s) for s in sentences])


class Probe(nn.Module):
    def __init__(self, encoder, dim=16, classes=2):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(), nn.Linear(8, classes))

    def forward(self, s):
        return self.head(self.encoder(s))


def main():
    torch.manual_seed(0)
    data = Sentences()
    loader = DataLoader(data, batch_size=9, shuffle=True)
    model = Probe(FrozenEncoder(data.vocab))
    opt = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    for epoch in range(5):
        total = 0.0
        for text, y in loader:
            loss = F.cross_entropy(model(text), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(epoch, round(total / len(loader), 4), FrozenEncoder.encode.cache_info().hits)


if __name__ == "__main__":
    main()
