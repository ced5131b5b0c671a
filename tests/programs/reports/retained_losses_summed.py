# judge: growth
# losses kept with retain_graph=True are summed attached over accumulation steps
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, vocab=20, dim=10):
        super().__init__()
        self.emb, self.cell, self.out = nn.Embedding(vocab, dim), nn.GRU(dim, dim, batch_first=True), nn.Linear(dim, vocab)

    def forward(self, seg, mem, labels):
        y, mem = self.cell(self.emb(seg), mem)
        return F.cross_entropy(self.out(y).transpose(1, 2), labels), mem


class Replay(nn.Module):
    def __init__(self, block, seq_len):
        super().__init__()
        self.block, self.seq_len = block, seq_len

    def forward(self, x, weight):
        segs, labs = x[:, :-1].split(self.seq_len, 1), x[:, 1:].split(self.seq_len, 1)
        memories = [torch.zeros(1, x.size(0), 10)]
        with torch.no_grad():
            for seg, lab in zip(segs, labs):
                memories.append(self.block(seg, memories[-1], lab)[1])
        mem_grad, total_loss = torch.zeros_like(memories[-1]), 0.0
        for i in reversed(range(len(segs))):
            mem = memories[i].requires_grad_()
            loss, next_mem = self.block(segs[i], mem, labs[i])
            weighted_loss = loss * weight
            weighted_loss.backward(retain_graph=True)
            next_mem.backward(mem_grad)
            total_loss += weighted_loss
            mem_grad.copy_(mem.grad)
        return total_loss


model = Replay(Block(), seq_len=5)
optim = torch.optim.Adam(model.parameters(), lr=1e-3)
ACCUMULATE = 4
for i in range(2):
    running = 0.0
    for _ in range(ACCUMULATE):
        loss = model(torch.randint(0, 20, (2, 16)), 1.0 / ACCUMULATE)
        running += loss
    optim.step()
    optim.zero_grad()
    print(i, running.item())
