# judge: verdict only
# memory replay back-propagation: no_grad forward, reversed loop, two backwards per segment
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class RecurrentMemoryBlock(nn.Module):
    def __init__(self, vocab=16, dim=12, n_mem=3):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.init_mem = nn.Parameter(torch.randn(n_mem, dim) * 0.02)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.logits = nn.Linear(dim, vocab)
        self.n_mem = n_mem

    def forward(self, seg, mem, labels):
        if mem is None:
            mem = self.init_mem.expand(seg.size(0), -1, -1)
        x = torch.cat([mem, self.emb(seg)], dim=1)
        y, _ = self.attn(x, x, x, need_weights=False)
        out = self.logits(y[:, self.n_mem:])
        return F.cross_entropy(out.transpose(1, 2), labels), y[:, :self.n_mem]


class ReplayWrapper(nn.Module):
    def __init__(self, block, seq_len):
        super().__init__()
        self.block, self.seq_len = block, seq_len

    def forward(self, x, scale=1.0):
        x, labels = x[:, :-1], x[:, 1:]
        segs, labs = x.split(self.seq_len, 1), labels.split(self.seq_len, 1)
        replay, mem = [None], None
        for seg, lab in zip(segs, labs):
            with torch.no_grad():
                _, mem = self.block(seg, mem, lab)
            replay.append(mem)
        mem_grad = torch.zeros_like(replay[-1])
        total = 0.0
        for step in reversed(range(len(segs))):
            seg_mem = replay[step]
            if seg_mem is not None:
                seg_mem.requires_grad_()
            loss, next_mem = self.block(segs[step], seg_mem, labs[step])
            weighted = loss * scale / len(segs)
            weighted.backward(retain_graph=True)
            next_mem.backward(mem_grad)
            total += weighted.item()
            if step == 0:
                continue
            mem_grad.copy_(seg_mem.grad.data)
        return total


model = ReplayWrapper(RecurrentMemoryBlock(), seq_len=5)
optim = torch.optim.Adam(model.parameters(), lr=1e-2)
for i in range(3):
    total_loss = 0.0
    for _ in range(2):
        total_loss += model(torch.randint(0, 16, (2, 21)), scale=0.5)
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optim.step()
    optim.zero_grad()
    print(i, total_loss)
