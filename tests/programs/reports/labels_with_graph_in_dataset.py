# judge: verdict only
# Synthetic regression labels generated from 'true' weights that require grad; graph travels through the DataLoader
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def init_params(shape, std):
    return torch.normal(0, std, size=shape, requires_grad=True)


def synthetic_data(n, features):
    true_w = init_params((features, 1), 1.0)
    true_b = init_params((1,), 1.0)
    inputs = torch.randn(n, features)
    targets = torch.tanh(inputs @ true_w) + true_b
    return TensorDataset(inputs, targets)


def sgd(params, lr, batch_size):
    with torch.no_grad():
        for p in params:
            p -= lr * p.grad / batch_size
            p.grad.zero_()


class HandMadeMLP:
    def __init__(self, features, hidden):
        self.w1, self.b1 = init_params((features, hidden), 0.1), torch.zeros(hidden, requires_grad=True)
        self.w2, self.b2 = init_params((hidden, 1), 0.1), torch.zeros(1, requires_grad=True)

    def parameters(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, x):
        return torch.relu(x @ self.w1 + self.b1) @ self.w2 + self.b2


batch_size = 10
loader = DataLoader(synthetic_data(40, 3), batch_size, shuffle=True)
net = HandMadeMLP(3, 16)
loss = nn.MSELoss(reduction="sum")

for epoch in range(2):
    for x, y in loader:
        l = loss(net(x), y)
        l.backward()  # raises
        sgd(net.parameters(), 0.05, batch_size)
    print(f"epoch {epoch + 1}, loss {l.item():.3f}")
