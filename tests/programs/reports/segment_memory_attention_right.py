# judge: verdict only
# Attention layer with a compressive memory M, z kept on the module; backward once per segment (put right)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class MemoryAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.gate = nn.Parameter(torch.zeros(1))
        self.out = nn.Linear(dim, dim)
        self.dim = dim
        self.clear()

    def clear(self):
        self.M = torch.zeros(self.dim, self.dim)
        self.z = torch.ones(self.dim) * 1e-3

    def _retrieve(self, q):
        sq = F.elu(q) + 1
        return (sq @ self.M) / (sq @ self.z).unsqueeze(-1)

    def _update_memory(self, k, v):
        sk = F.elu(k) + 1
        self.M = (self.M + (sk.transpose(-2, -1) @ v).mean(0)).detach()
        self.z = (self.z + sk.sum(1).mean(0)).detach()

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        local = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        g = torch.sigmoid(self.gate)
        y = g * self._retrieve(q) + (1 - g) * local
        self._update_memory(k, v)
        return self.out(y)


vocab, dim, seg_len = 40, 16, 8
embed, attn, head = nn.Embedding(vocab, dim), MemoryAttention(dim), nn.Linear(dim, vocab)
params = [*embed.parameters(), *attn.parameters(), *head.parameters()]
optimizer = torch.optim.AdamW(params, lr=1e-3)
for step in range(2):
    document = torch.randint(0, vocab, (2, 4 * seg_len + 1))
    attn.clear()
    total = 0.0
    for s in range(0, 4 * seg_len, seg_len):
        ids, labels = document[:, s:s + seg_len], document[:, s + 1:s + 1 + seg_len]
        logits = head(attn(embed(ids)))
        loss = F.cross_entropy(logits.reshape(-1, vocab), labels.reshape(-1)) / 4
        loss.backward()
        total += loss.item()
    optimizer.step()
    optimizer.zero_grad()
    print("doc", step, "loss", round(total, 4))
