# judge: verdict only
# pointer summariser: coverage vector accumulated in place
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, hid, use_coverage):
        super().__init__()
        self.W_h = nn.Linear(hid, hid, bias=False)
        self.W_s = nn.Linear(hid, hid)
        self.v = nn.Linear(hid, 1, bias=False)
        self.W_c = nn.Linear(1, hid, bias=False) if use_coverage else None

    def forward(self, s, enc, coverage):
        e = self.W_h(enc) + self.W_s(s).unsqueeze(1)
        if self.W_c is not None:
            e = e + self.W_c(coverage.unsqueeze(2))
        attn = F.softmax(self.v(torch.tanh(e)).squeeze(2), dim=1)
        ctx = torch.bmm(attn.unsqueeze(1), enc).squeeze(1)
        if self.W_c is not None:
            coverage += attn
        return ctx, attn, coverage


class PointerGenerator(nn.Module):
    def __init__(self, vocab, emb=12, hid=16, use_coverage=True):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.enc = nn.GRU(emb, hid, batch_first=True)
        self.dec = nn.GRUCell(emb + hid, hid)
        self.attn = Attention(hid, use_coverage)
        self.gen = nn.Linear(2 * hid, vocab)
        self.p_gen = nn.Linear(2 * hid + emb, 1)

    def forward(self, src, tgt):
        enc, h = self.enc(self.emb(src))
        s, ctx = h[0], enc.mean(1)
        coverage = torch.zeros(src.shape)
        nll, cov_loss = 0.0, 0.0
        for t in range(tgt.size(1) - 1):
            y = self.emb(tgt[:, t])
            s = self.dec(torch.cat([y, ctx], 1), s)
            before = coverage.clone()
            ctx, attn, coverage = self.attn(s, enc, coverage)
            p = torch.sigmoid(self.p_gen(torch.cat([ctx, s, y], 1)))
            vocab = p * F.softmax(self.gen(torch.cat([s, ctx], 1)), 1)
            dist = vocab.scatter_add(1, src, (1 - p) * attn)
            gold = dist.gather(1, tgt[:, t + 1:t + 2]).squeeze(1)
            nll = nll - torch.log(gold + 1e-10).mean()
            cov_loss = cov_loss + torch.min(attn, before).sum(1).mean()
        steps = tgt.size(1) - 1
        return nll / steps, cov_loss / steps


def batches(n, bs, vocab, gen):
    for _ in range(n):
        src = torch.randint(2, vocab, (bs, 10), generator=gen)
        tgt = torch.cat([torch.ones(bs, 1, dtype=torch.long), src[:, :4]], 1)
        yield src, tgt


def train(args):
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    model = PointerGenerator(args.vocab, use_coverage=not args.no_coverage)
    opt = torch.optim.Adagrad(model.parameters(), lr=args.lr, initial_accumulator_value=0.1)
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for src, tgt in batches(args.iters, args.bs, args.vocab, gen):
            nll, cov = model(src, tgt)
            loss = nll + args.cov_weight * cov
            opt.zero_grad()
            loss.backward()  # raises: inplace
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            running = 0.99 * running + 0.01 * loss.item() if running else loss.item()
        print(f"epoch {epoch} nll {nll.item():.3f} coverage {cov.item():.3f} running {running:.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--vocab", type=int, default=20)
    p.add_argument("--bs", type=int, default=4)
    p.add_argument("--iters", type=int, default=8)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--lr", type=float, default=0.15)
    p.add_argument("--cov-weight", type=float, default=1.0)
    p.add_argument("--no-coverage", action="store_true")
    p.add_argument("--seed", type=int, default=0)
    train(p.parse_args())
