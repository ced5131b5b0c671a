# judge: verdict only
# word LM with carried LSTM state, repackaged in a recursive helper
import argparse
import math
import time

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="word level language model")
parser.add_argument("--emsize", type=int, default=16)
parser.add_argument("--nhid", type=int, default=24)
parser.add_argument("--nlayers", type=int, default=2)
parser.add_argument("--lr", type=float, default=1.0)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch_size", type=int, default=4)
parser.add_argument("--bptt", type=int, default=7)
parser.add_argument("--tied", action="store_true")
parser.add_argument("--seed", type=int, default=1111)
args = parser.parse_args()
torch.manual_seed(args.seed)

NTOKEN = 30


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[: n * bsz].view(bsz, -1).t().contiguous()


def get_batch(source, i):
    n = min(args.bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers, tie):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        if tie:
            self.decoder.weight = self.encoder.weight
        self.nhid, self.nlayers = nhid, nlayers

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        return self.decoder(self.drop(out)), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return (w.new_zeros(self.nlayers, bsz, self.nhid), w.new_zeros(self.nlayers, bsz, self.nhid))


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


corpus = torch.randint(0, NTOKEN, (400,))
train_data = batchify(corpus[:320], args.batch_size)
val_data = batchify(corpus[320:], args.batch_size)
model = RNNModel(NTOKEN, args.emsize, args.nhid, args.nlayers, args.tied)
criterion = nn.CrossEntropyLoss()


def evaluate(source):
    model.eval()
    total, hidden = 0.0, model.init_hidden(args.batch_size)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, args.bptt):
            x, y = get_batch(source, i)
            out, hidden = model(x, hidden)
            total += len(x) * criterion(out.view(-1, NTOKEN), y)
    return total / (len(source) - 1)


def train(lr):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(args.batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, args.bptt)):
        x, y = get_batch(train_data, i)
        hidden = repackage_hidden(hidden)
        model.zero_grad()
        out, hidden = model(x, hidden)
        loss = criterion(out.view(-1, NTOKEN), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
    return total_loss / (batch + 1)


lr, best = args.lr, None
for epoch in range(1, args.epochs + 1):
    t0 = time.time()
    tr = train(lr)
    val = float(evaluate(val_data))
    print(f"| epoch {epoch} | {time.time() - t0:.2f}s | train {tr:.3f} | valid {val:.3f} | ppl {math.exp(val):.2f}")
    if best is None or val < best:
        best = val
    else:
        lr /= 4.0
