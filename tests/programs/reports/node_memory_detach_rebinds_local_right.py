# judge: verdict only
# Temporal-graph node memory: the detach loop rebinds the loop variable and leaves the dict untouched (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class NodeMemory:
    def __init__(self, dim):
        self.dim = dim
        self.table = {}

    def get(self, node):
        return self.table.get(node, torch.zeros(self.dim))

    def set(self, node, value):
        self.table[node] = value

    def detach_all(self):
        for node, state in self.table.items():
            self.table[node] = state.detach()


class TemporalGraphNet(nn.Module):
    def __init__(self, mem_dim, feat_dim):
        super().__init__()
        self.memory = NodeMemory(mem_dim)
        self.updater = nn.GRUCell(mem_dim + feat_dim, mem_dim)
        self.score = nn.Bilinear(mem_dim, mem_dim, 1)

    def forward(self, events):
        logits = []
        for src, dst, feat in events:
            h_src, h_dst = self.memory.get(src), self.memory.get(dst)
            msg_src = torch.cat([h_dst, feat])
            msg_dst = torch.cat([h_src, feat])
            h_src = self.updater(msg_src[None], h_src[None])[0]
            h_dst = self.updater(msg_dst[None], h_dst[None])[0]
            self.memory.set(src, h_src)
            self.memory.set(dst, h_dst)
            logits.append(self.score(h_src, h_dst))
        return torch.cat(logits)


def make_batch(n):
    pairs = torch.randint(0, 5, (n, 2)).tolist()
    return [(s, d, torch.randn(4)) for s, d in pairs], torch.randint(0, 2, (n,)).float()


model = TemporalGraphNet(8, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(6):
    events, labels = make_batch(6)
    optimizer.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(model(events), labels)
    loss.backward()
    optimizer.step()
    model.memory.detach_all()
    print(step, round(loss.item(), 4))
