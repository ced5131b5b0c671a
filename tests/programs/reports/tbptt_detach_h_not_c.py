# judge: verdict only
# Truncated BPTT with stacked LSTMCells: repackage() detaches h of every layer but not c
import torch
from torch import nn

torch.manual_seed(0)


class StackedCells(nn.Module):
    def __init__(self, vocab, width, depth):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cells = nn.ModuleList(nn.LSTMCell(width, width) for _ in range(depth))
        self.decode = nn.Linear(width, vocab)

    def init_state(self, batch):
        width = self.cells[0].hidden_size
        return [(torch.zeros(batch, width), torch.zeros(batch, width)) for _ in self.cells]

    def forward(self, tokens, state):
        logits = []
        for t in range(tokens.size(1)):
            x = self.embed(tokens[:, t])
            for i, cell in enumerate(self.cells):
                h, c = cell(x, state[i])
                state[i] = (h, c)
                x = h
            logits.append(self.decode(x))
        return torch.stack(logits, dim=1), state


def repackage(state):
    return [(h.detach(), c) for h, c in state]


corpus = torch.randint(0, 20, (4, 41))
model = StackedCells(20, 16, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()
bptt = 8

state = model.init_state(corpus.size(0))
for start in range(0, corpus.size(1) - 1, bptt):
    chunk = corpus[:, start:start + bptt]
    target = corpus[:, start + 1:start + 1 + bptt]
    state = repackage(state)
    optimizer.zero_grad()
    logits, state = model(chunk, state)
    loss = criterion(logits.reshape(-1, 20), target.reshape(-1))
    loss.backward()  # raises
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(start, round(loss.item(), 4))
