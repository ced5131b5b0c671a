# judge: verdict only
# module keeps an evolving weight; training script cuts model.recurrent.weight between epochs
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class FixedWeightConv(nn.Module):
    def forward(self, W, X, adj):
        return adj @ (X @ W)


class EvolvingConv(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.initial_weight = nn.Parameter(torch.empty(1, channels, channels))
        self.recurrent_layer = nn.GRU(channels, channels)
        self.conv_layer = FixedWeightConv()
        self.weight = None
        nn.init.xavier_uniform_(self.initial_weight)

    def forward(self, X, adj):
        if self.weight is None:
            _, self.weight = self.recurrent_layer(self.initial_weight, self.initial_weight)
        else:
            _, self.weight = self.recurrent_layer(self.weight, self.weight)
        return self.conv_layer(self.weight.squeeze(0), X, adj)


class RecurrentGCN(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.recurrent = EvolvingConv(channels)
        self.linear = nn.Linear(channels, 1)

    def forward(self, x, adj):
        return self.linear(F.relu(self.recurrent(x, adj)))


adj = torch.softmax(torch.randn(8, 8), dim=1)
snapshots = [(torch.rand(8, 4), torch.rand(8, 1)) for _ in range(6)]
train_set, test_set = snapshots[:4], snapshots[4:]
model = RecurrentGCN(4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
model.train()
for epoch in range(4):
    cost = 0
    for time, (x, y) in enumerate(train_set):
        y_hat = model(x, adj)
        cost = cost + torch.mean((y_hat - y) ** 2)
    cost = cost / (time + 1)
    cost.backward()
    optimizer.step()
    optimizer.zero_grad()
    model.recurrent.weight = model.recurrent.weight.detach()

model.eval()
cost = 0
for time, (x, y) in enumerate(test_set):
    if time == 0:
        model.recurrent.weight = None
    cost = cost + torch.mean((model(x, adj) - y) ** 2)
print("MSE", (cost / (time + 1)).item())
