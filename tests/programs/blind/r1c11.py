# judge: verdict only
# attention map masked in place after softmax, from the second epoch on
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads, self.scale = heads, 1 / math.sqrt(dim // heads)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.edge_drop = 0.0

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-1, -2) * self.scale).softmax(-1)
        if self.training and self.edge_drop > 0:
            drop = torch.rand_like(attn) < self.edge_drop
            attn.masked_fill_(drop, 0.0)
        out = (attn @ v).transpose(1, 2).reshape(b, n, d)
        return self.proj(out)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class SetClassifier(nn.Module):
    def __init__(self, dim=16, depth=2, classes=3):
        super().__init__()
        self.inp = nn.Linear(4, dim)
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.inp(x)
        for blk in self.blocks:
            x = blk(x)
        return self.head(x.mean(1))


def set_edge_drop(model, p):
    for m in model.modules():
        if isinstance(m, SelfAttention):
            m.edge_drop = p


CONFIG = {"epochs": 4, "regularise_from": 1, "p": 0.15, "lr": 1e-3}

if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = torch.randn(64, 6, 4), torch.randint(0, 3, (64,))
    model = SetClassifier()
    opt = torch.optim.AdamW(model.parameters(), lr=CONFIG["lr"])
    for epoch in range(CONFIG["epochs"]):
        model.train()
        set_edge_drop(model, CONFIG["p"] if epoch >= CONFIG["regularise_from"] else 0.0)
        for xb, yb in zip(x.split(16), y.split(16)):
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()  # raises: inplace
            opt.step()
        model.eval()
        with torch.no_grad():
            acc = (model(x).argmax(-1) == y).float().mean()
        print(f"epoch {epoch} acc {acc:.3f}")
