# judge: verdict only
# Graph recommender: user/item embeddings propagated once, then mini-batch losses step on them
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

N_USERS, N_ITEMS, DIM = 12, 20, 8


class LightGCN(nn.Module):
    def __init__(self, n_users, n_items, dim, layers=2):
        super().__init__()
        self.n_users, self.layers = n_users, layers
        self.embedding = nn.Parameter(torch.randn(n_users + n_items, dim) * 0.1)

    def forward(self, adj):
        x, acc = self.embedding, [self.embedding]
        for _ in range(self.layers):
            x = adj @ x
            acc.append(x)
        out = torch.stack(acc).mean(0)
        return out[: self.n_users], out[self.n_users:]

    def bpr(self, u, pos, neg):
        return F.softplus((u * neg).sum(-1) - (u * pos).sum(-1)).mean()


def normalized_adjacency(edges):
    n = N_USERS + N_ITEMS
    a = torch.zeros(n, n)
    a[edges[:, 0], edges[:, 1] + N_USERS] = 1.0
    a = a + a.t()
    deg = a.sum(1).clamp(min=1).rsqrt()
    return deg[:, None] * a * deg[None, :]


edges = torch.stack([torch.randint(0, N_USERS, (60,)), torch.randint(0, N_ITEMS, (60,))], dim=1)
adj = normalized_adjacency(edges)
model = LightGCN(N_USERS, N_ITEMS, DIM)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

user_emb, item_emb = model(adj)
for epoch in range(2):
    for batch_data in edges[torch.randperm(60)].split(20):
        opt.zero_grad()
        negatives = torch.randint(0, N_ITEMS, (len(batch_data),))
        loss = model.bpr(user_emb[batch_data[:, 0]], item_emb[batch_data[:, 1]], item_emb[negatives])
        loss.backward()  # raises
        opt.step()
    print(epoch, loss.item())
