# judge: verdict only
# output projection is a transposed view of the embedding, built once
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, mask):
        h = self.ln1(x)
        x = x + self.attn(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.mlp(self.ln2(x))


class TinyGPT(nn.Module):
    def __init__(self, vocab, d=16, heads=2, depth=2, ctx=12):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList([Block(d, heads) for _ in range(depth)])
        self.ln = nn.LayerNorm(d)
        nn.init.normal_(self.tok.weight, std=0.02)
        self.unembed = self.tok.weight.t()
        self.register_buffer("mask", torch.triu(torch.full((ctx, ctx), float("-inf")), 1), persistent=False)

    def forward(self, idx, targets=None):
        T = idx.size(1)
        x = self.tok(idx) + self.pos.weight[:T]
        for blk in self.blocks:
            x = blk(x, self.mask[:T, :T])
        logits = self.ln(x) @ self.unembed
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def lr_at(step, warmup, total, peak):
    if step < warmup:
        return peak * (step + 1) / warmup
    ratio = (step - warmup) / max(1, total - warmup)
    return peak * 0.5 * (1 + math.cos(math.pi * ratio))


def get_batch(data, ctx, bs):
    ix = torch.randint(len(data) - ctx - 1, (bs,))
    x = torch.stack([data[i:i + ctx] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + ctx] for i in ix])
    return x, y


def main(total=24, ctx=12, bs=8, eval_interval=8):
    torch.manual_seed(1337)
    text = "the quick brown fox jumps over the lazy dog. " * 20
    chars = sorted(set(text))
    stoi = {c: i for i, c in enumerate(chars)}
    data = torch.tensor([stoi[c] for c in text])
    train, val = data[:700], data[700:]
    model = TinyGPT(len(chars), ctx=ctx)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
    best = float("inf")
    for step in range(total):
        for g in opt.param_groups:
            g["lr"] = lr_at(step, 4, total, 3e-3)
        _, loss = model(*get_batch(train, ctx, bs))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % eval_interval == eval_interval - 1:
            model.eval()
            with torch.no_grad():
                v = sum(model(*get_batch(val, ctx, bs))[1].item() for _ in range(4)) / 4
            model.train()
            best = min(best, v)
            print(f"step {step}: train {loss.item():.3f} val {v:.3f}")
    return best


if __name__ == "__main__":
    main()
