# judge: verdict only
# layer cache keeps normalised edge weights of the first epoch together with their graph; weights are learnable (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


def normalise(edge_index, weight, n):
    row, col = edge_index
    deg = torch.zeros(n).index_add(0, col, weight)
    inv = deg.clamp(min=1e-6).pow(-0.5)
    return edge_index, inv[row] * weight * inv[col]


class Conv(nn.Module):
    def __init__(self, n_in, n_out, cached=False):
        super().__init__()
        self.lin, self.cached, self._cache = nn.Linear(n_in, n_out, bias=False), cached, None

    def reset_cache(self):
        self._cache = None

    def forward(self, x, edge_index, edge_weight):
        cache = self._cache
        if cache is None:
            edge_index, edge_weight = normalise(edge_index, edge_weight, x.size(0))
            if self.cached:
                self._cache = (edge_index, edge_weight)
        else:
            edge_index, edge_weight = cache[0], cache[1]
        x = self.lin(x)
        row, col = edge_index
        return torch.zeros_like(x).index_add(0, col, edge_weight.unsqueeze(1) * x[row])


class Net(nn.Module):
    def __init__(self, n_edges):
        super().__init__()
        self.edge_weight = nn.Parameter(torch.rand(n_edges))
        self.conv1, self.conv2 = Conv(6, 12), Conv(12, 3)

    def forward(self, x, edge_index):
        h = torch.relu(self.conv1(x, edge_index, self.edge_weight))
        return self.conv2(h, edge_index, self.edge_weight)


edge_index = torch.randint(0, 10, (2, 30))
x, y = torch.randn(10, 6), torch.randint(0, 3, (10,))
model = Net(30)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(1, 4):
    model.train()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x, edge_index), y)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
