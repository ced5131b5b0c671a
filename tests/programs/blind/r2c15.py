# judge: verdict only
# gradient-norm report every few steps frees the graph before the update
import argparse
import json
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def toy_corpus(n, vocab, rng):
    docs = []
    for _ in range(n):
        length = int(torch.randint(4, 12, (1,), generator=rng))
        ids = torch.randint(1, vocab, (length,), generator=rng)
        docs.append((ids, int((ids > vocab // 2).float().mean() > 0.5)))
    return docs


def collate(batch):
    ids, labels = zip(*batch)
    return pad_sequence(ids, batch_first=True), torch.tensor(labels)


class TextCNN(nn.Module):
    def __init__(self, vocab, dim=16, n_filters=8, sizes=(2, 3)):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(dim, n_filters, k, padding=1) for k in sizes)
        self.fc = nn.Linear(n_filters * len(sizes), 2)

    def forward(self, ids):
        e = self.emb(ids).transpose(1, 2)
        pooled = [F.relu(c(e)).amax(-1) for c in self.convs]
        return self.fc(torch.cat(pooled, 1))


class Tracker:
    """Writes scalars as json lines."""

    def __init__(self, path, interval):
        self.f = open(path, "w")
        self.interval = interval

    def due(self, step):
        return step > 0 and step % self.interval == 0

    def report(self, step, model, loss):
        named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
        grads = torch.autograd.grad(loss, [p for _, p in named])
        row = {"step": step, "loss": loss.item()}
        row.update({n: g.norm().item() for (n, _), g in zip(named, grads)})
        self.f.write(json.dumps(row) + "\n")
        self.f.flush()


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        ok = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train()
    return ok / len(loader.dataset)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch-size", type=int, default=8)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--log-interval", type=int, default=5)
    ap.add_argument("--vocab", type=int, default=40)
    args = ap.parse_args()
    rng = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    train = DataLoader(toy_corpus(80, args.vocab, rng), args.batch_size, shuffle=True, collate_fn=collate)
    dev = DataLoader(toy_corpus(24, args.vocab, rng), args.batch_size, collate_fn=collate)
    model = TextCNN(args.vocab)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    tracker = Tracker(os.path.join(tempfile.mkdtemp(), "log.jsonl"), args.log_interval)
    step = 0
    for epoch in range(args.epochs):
        for ids, labels in train:
            loss = F.cross_entropy(model(ids), labels)
            if tracker.due(step):
                tracker.report(step, model, loss)
            opt.zero_grad()
            loss.backward()  # raises
            nn.utils.clip_grad_value_(model.parameters(), 1.0)
            opt.step()
            step += 1
        print(f"epoch {epoch} dev acc {accuracy(model, dev):.3f}")


if __name__ == "__main__":
    main()
