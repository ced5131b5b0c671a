# judge: verdict only
# jacobian rows: autograd.grad in a loop on one graph with retain
import torch
import torch.nn as nn
from torch.autograd import grad

torch.manual_seed(0)


class GraphNet(nn.Module):
    def __init__(self, n_in=5, width=8, n_cls=3):
        super().__init__()
        self.lin1, self.lin2 = nn.Linear(n_in, width), nn.Linear(width, n_cls)

    def forward(self, x, adj):
        return self.lin2(adj @ torch.relu(self.lin1(adj @ x)))


def influence(model, src_x, adj):
    x = src_x.clone().requires_grad_()
    out = model(x, adj).sum(dim=-1)
    rows = []
    for j in range(src_x.size(0)):
        row = grad([out[j]], [x], retain_graph=True)[0].abs().sum(dim=-1)
        rows.append(row / row.sum())
    return torch.stack(rows, dim=0)


def saliency(model, x, adj, target):
    x = x.clone().requires_grad_(True)
    score = model(x, adj)[target].max()
    model.zero_grad()
    score.backward()
    return x.grad.abs().sum(1)


adj = torch.softmax(torch.randn(9, 9), 1)
x, y = torch.randn(9, 5), torch.randint(0, 3, (9,))
model = GraphNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
reports = []
for epoch in range(1, 7):
    model.train()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x, adj)[:6], y[:6])
    loss.backward()
    optimizer.step()
    if epoch % 3 == 0:
        model.eval()
        reports.append((influence(model, x, adj), saliency(model, x, adj, 0)))
print(len(reports), reports[-1][0].shape)
