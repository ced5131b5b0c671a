# judge: verdict only
# translation training: losses summed over a window of micro batches, one backward per window
import argparse
import math
import os
import random
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, BOS, EOS = 0, 1, 2


class Seq2Seq(nn.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, dim, PAD), nn.Embedding(vocab, dim, PAD)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.decoder = nn.GRUCell(2 * dim, dim)
        self.key = nn.Linear(dim, dim)
        self.out = nn.Linear(2 * dim, vocab)

    def forward(self, src, tgt, teacher=1.0):
        enc, h = self.encoder(self.src(src))
        h, keys, bias = h[0], self.key(enc), (src == PAD) * -1e9
        tok, logits = tgt[:, 0], []
        for t in range(1, tgt.size(1)):
            a = F.softmax((keys @ h.unsqueeze(2)).squeeze(2) + bias, 1)
            ctx = (a.unsqueeze(1) @ enc).squeeze(1)
            h = self.decoder(torch.cat([self.tgt(tok), ctx], 1), h)
            step = self.out(torch.cat([h, ctx], 1))
            logits.append(step)
            tok = tgt[:, t] if random.random() < teacher else step.argmax(1)
        return torch.stack(logits, 1)


def pairs(n, vocab, rng):
    out = []
    for _ in range(n):
        s = [rng.randrange(3, vocab) for _ in range(rng.randint(3, 6))]
        out.append((s, [BOS] + s[::-1] + [EOS]))
    return out


def collate(chunk):
    def pad(seqs):
        m = max(map(len, seqs))
        return torch.tensor([s + [PAD] * (m - len(s)) for s in seqs])
    return pad([s for s, _ in chunk]), pad([t for _, t in chunk])


def loader(data, bs, shuffle, rng):
    order = list(range(len(data)))
    if shuffle:
        rng.shuffle(order)
    for i in range(0, len(order), bs):
        yield collate([data[j] for j in order[i:i + bs]])


def nll(logits, tgt):
    return F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD, reduction="sum")


class Optim:
    def __init__(self, model, warm, factor=0.05):
        self.opt = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
        self.model, self.warm, self.factor, self.n = model, warm, factor, 0

    def apply(self, loss, tokens):
        self.n += 1
        for g in self.opt.param_groups:
            g["lr"] = self.factor * min(self.n ** -0.5, self.n * self.warm ** -1.5)
        self.opt.zero_grad()
        (loss / tokens).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--bs", type=int, default=8)
    ap.add_argument("--update-freq", type=int, default=3)
    ap.add_argument("--vocab", type=int, default=14)
    args = ap.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    rng = random.Random(1)
    train, dev = pairs(100, args.vocab, rng), pairs(24, args.vocab, rng)
    model = Seq2Seq(args.vocab)
    optim, best, path = Optim(model, 10), math.inf, os.path.join(tempfile.mkdtemp(), "checkpoint_best.pt")
    for epoch in range(args.epochs):
        window_loss, window_tok, epoch_loss, epoch_tok = 0.0, 0, 0.0, 0
        for i, (src, tgt) in enumerate(loader(train, args.bs, True, rng), 1):
            window_loss = window_loss + nll(model(src, tgt, teacher=0.8), tgt)
            window_tok += (tgt[:, 1:] != PAD).sum().item()
            if i % args.update_freq == 0:
                optim.apply(window_loss, window_tok)
                epoch_loss, epoch_tok = epoch_loss + float(window_loss), epoch_tok + window_tok
                window_loss, window_tok = 0.0, 0
        if window_tok:
            optim.apply(window_loss, window_tok)
        with torch.no_grad():
            val = sum(nll(model(s, t), t).item() / (t[:, 1:] != PAD).sum().item() for s, t in loader(dev, 24, False, rng))
        if val < best:
            best = val
            torch.save({"model": model.state_dict(), "optim": optim.opt.state_dict(), "epoch": epoch}, path)
        print(f"epoch {epoch} ppl {math.exp(epoch_loss / epoch_tok):.2f} dev {math.exp(val):.2f}")


if __name__ == "__main__":
    main()
