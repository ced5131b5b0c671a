# judge: verdict only
# Truncated BPTT over target chunks; a DecoderState object detaches its tensors in place
import torch
import torch.nn as nn

torch.manual_seed(0)


class DecoderState:
    def __init__(self, hidden, input_feed):
        self.hidden, self.input_feed = hidden, input_feed

    @property
    def _all(self):
        return self.hidden + (self.input_feed,)

    def detach(self):
        for t in self._all:
            t.detach_()

    def update(self, hidden, input_feed):
        self.hidden, self.input_feed = hidden, input_feed


class Seq2Seq(nn.Module):
    def __init__(self, vocab=30, dim=12):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, dim), nn.Embedding(vocab, dim)
        self.enc = nn.LSTM(dim, dim, batch_first=True)
        self.cell, self.attn, self.gen = nn.LSTMCell(2 * dim, dim), nn.Linear(2 * dim, dim), nn.Linear(dim, vocab)

    def encode(self, src):
        memory, (h, c) = self.enc(self.src(src))
        return memory, (h[0], c[0])

    def decode(self, tgt, memory, state):
        outs = []
        for emb in self.tgt(tgt).unbind(1):
            h, c = self.cell(torch.cat([emb, state.input_feed], 1), state.hidden)
            weights = torch.softmax(torch.bmm(memory, h[:, :, None]), 1)
            feed = torch.tanh(self.attn(torch.cat([(weights * memory).sum(1), h], 1)))
            state.update((h, c), feed)
            outs.append(self.gen(feed))
        return torch.stack(outs, 1)


model, trunc = Seq2Seq(), 4
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(2):
    src, tgt = torch.randint(0, 30, (3, 6)), torch.randint(0, 30, (3, 13))
    opt.zero_grad()
    memory, (h, c) = model.encode(src)
    bridge = [t.detach().requires_grad_(True) for t in (memory, h, c)]
    state = DecoderState((bridge[1] + 0, bridge[2] + 0), torch.zeros_like(h))
    for j in range(0, 12, trunc):
        logits = model.decode(tgt[:, j:j + trunc], bridge[0], state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt[:, j + 1:j + 1 + trunc].flatten())
        loss.backward()
        state.detach()
    torch.autograd.backward([memory, h, c], [t.grad for t in bridge])
    opt.step()
    print(step, round(loss.item(), 4))
