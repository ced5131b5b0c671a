# judge: verdict only
# word language model carries (h, c), only h is repackaged
import argparse
import math
import time

import torch
import torch.nn as nn


class WordLM(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=dropout)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers = nhid, nlayers

    def forward(self, tokens, state):
        emb = self.drop(self.encoder(tokens))
        output, state = self.rnn(emb, state)
        logits = self.decoder(self.drop(output))
        return logits.view(-1, logits.size(-1)), state

    def init_state(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(self.nlayers, bsz, self.nhid), w.new_zeros(self.nlayers, bsz, self.nhid)


def batchify(ids, bsz):
    n = ids.numel() // bsz
    return ids[: n * bsz].view(bsz, n).t().contiguous()


def get_batch(source, i, bptt):
    length = min(bptt, len(source) - 1 - i)
    return source[i:i + length], source[i + 1:i + 1 + length].reshape(-1)


def repackage(state):
    h, c = state
    return h.detach(), c


def train_epoch(model, source, optimizer, args):
    model.train()
    criterion = nn.CrossEntropyLoss()
    total = 0.0
    state = model.init_state(args.batch_size)
    for batch, i in enumerate(range(0, source.size(0) - 1, args.bptt)):
        x, y = get_batch(source, i, args.bptt)
        state = repackage(state)
        optimizer.zero_grad()
        logits, state = model(x, state)
        loss = criterion(logits, y)
        loss.backward()  # raises
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total += loss.item()
    return total / (batch + 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bptt", type=int, default=8)
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--clip", type=float, default=0.25)
    args = p.parse_args()
    torch.manual_seed(1)
    corpus = batchify(torch.randint(0, 30, (400,)), args.batch_size)
    model = WordLM(30, 12, 16, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for epoch in range(1, args.epochs + 1):
        t0 = time.time()
        avg = train_epoch(model, corpus, optimizer, args)
        print(f"| epoch {epoch} | {time.time() - t0:.1f}s | ppl {math.exp(avg):.2f}")


if __name__ == "__main__":
    main()
