# judge: verdict only
# entity table cached in the model and invalidated after every optimizer step
import torch
import torch.nn as nn
import torch.nn.functional as F


class RelationalEncoder(nn.Module):
    def __init__(self, n_ent=25, n_rel=3, d=8):
        super().__init__()
        self.ent = nn.Embedding(n_ent, d)
        self.rel = nn.Embedding(n_rel, d)
        self.weights = nn.ModuleList(nn.Linear(d, d, bias=False) for _ in range(n_rel))
        self._table = None
        self.builds = 0

    def table(self, adj):
        if self._table is None:
            x = self.ent.weight
            msgs = [a @ w(x) for a, w in zip(adj, self.weights)]
            self._table = F.normalize(x + torch.relu(sum(msgs)), dim=1)
            self.builds += 1
        return self._table

    def invalidate(self, *_):
        self._table = None

    def score(self, adj, h, r, t):
        z = self.table(adj)
        return (z[h] * self.rel(r) * z[t]).sum(-1)


def knowledge_graph(n_ent=25, n_rel=3, n=90):
    g = torch.Generator().manual_seed(8)
    triples = torch.stack([
        torch.randint(0, n_ent, (n,), generator=g),
        torch.randint(0, n_rel, (n,), generator=g),
        torch.randint(0, n_ent, (n,), generator=g)], 1)
    adj = torch.zeros(n_rel, n_ent, n_ent)
    adj[triples[:, 1], triples[:, 0], triples[:, 2]] = 1
    return triples, adj / adj.sum(-1, keepdim=True).clamp(min=1)


def main():
    torch.manual_seed(0)
    triples, adj = knowledge_graph()
    model = RelationalEncoder()
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    opt.register_step_post_hook(model.invalidate)
    for epoch in range(4):
        tot = 0.0
        for batch in triples[torch.randperm(len(triples))].split(30):
            h, r, t = batch.t()
            pos = model.score(adj, h, r, t)
            neg = model.score(adj, h, r, t[torch.randperm(len(t))])
            loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        print(f"epoch {epoch}: {tot:.3f} builds={model.builds}")


main()
