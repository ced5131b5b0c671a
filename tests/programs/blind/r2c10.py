# judge: verdict only
# EvolveGCN-O: evolved weight survives the epoch
import torch
import torch.nn as nn
import torch.nn.functional as F


class DynamicGraph:
    """A sequence of weighted snapshots with node targets."""

    def __init__(self, n_nodes=10, n_feat=4, length=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.snaps = []
        x = torch.randn(n_nodes, n_feat, generator=g)
        for _ in range(length):
            ei = torch.randint(0, n_nodes, (2, 30), generator=g)
            ew = torch.rand(30, generator=g)
            x = 0.9 * x + 0.1 * torch.randn(n_nodes, n_feat, generator=g)
            self.snaps.append((x, ei, ew, x.sum(1, keepdim=True).tanh()))

    def __iter__(self):
        return iter(self.snaps)

    def __len__(self):
        return len(self.snaps)

    def split(self, ratio):
        k = int(len(self) * ratio)
        a, b = object.__new__(DynamicGraph), object.__new__(DynamicGraph)
        a.snaps, b.snaps = self.snaps[:k], self.snaps[k:]
        return a, b


class GCNConvFixedW(nn.Module):
    def forward(self, w, x, ei, ew):
        deg = torch.ones(x.size(0)).index_add(0, ei[1], ew)
        norm = ew * deg[ei[0]].rsqrt() * deg[ei[1]].rsqrt()
        h = x @ w
        return torch.zeros_like(h).index_add(0, ei[1], norm[:, None] * h[ei[0]])


class EvolveGCNO(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.initial_weight = nn.Parameter(torch.empty(1, channels, channels))
        nn.init.xavier_uniform_(self.initial_weight)
        self.recurrent = nn.GRU(channels, channels)
        self.conv = GCNConvFixedW()
        self.weight = None

    def reset_state(self):
        self.weight = None

    def forward(self, x, ei, ew):
        prev = self.initial_weight if self.weight is None else self.weight
        _, self.weight = self.recurrent(self.initial_weight, prev)
        return self.conv(self.weight.squeeze(0), x, ei, ew)


class RecurrentGCN(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.recurrent = EvolveGCNO(channels)
        self.linear = nn.Linear(channels, 1)

    def forward(self, x, ei, ew):
        return self.linear(F.relu(self.recurrent(x, ei, ew)))


def train(model, data, optimizer, epochs):
    model.train()
    for epoch in range(epochs):
        cost = 0
        for t, (x, ei, ew, y) in enumerate(data):
            cost = cost + F.mse_loss(model(x, ei, ew), y)
        cost = cost / (t + 1)
        optimizer.zero_grad()
        cost.backward()  # raises
        optimizer.step()
        if epoch % 2 == 0:
            print("epoch %d mse %.4f" % (epoch, cost.item()))


def test(model, data):
    model.eval()
    model.recurrent.reset_state()
    with torch.no_grad():
        return sum(F.mse_loss(model(x, ei, ew), y).item() for x, ei, ew, y in data) / len(data)


if __name__ == "__main__":
    torch.manual_seed(0)
    train_set, test_set = DynamicGraph().split(0.75)
    net = RecurrentGCN(4)
    train(net, train_set, torch.optim.Adam(net.parameters(), lr=0.01), epochs=6)
    print("test mse %.4f" % test(net, test_set))
