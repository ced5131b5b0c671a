import torch
from torch import nn
from torch_geometric.nn import GCNConv


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.update, self.reset, self.candidate = (GCNConv(3 + 4, 4) for _ in range(3))

    def forward(self, x, edges, hidden):
        both = torch.cat([x, hidden], dim=1)
        z, r = self.update(both, edges).sigmoid(), self.reset(both, edges).sigmoid()
        new = self.candidate(torch.cat([x, r * hidden], dim=1), edges).tanh()
        return z * hidden + (1 - z) * new  # want: SP101


edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
model = Recurrent()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hidden = torch.zeros(4, 4)
for x in torch.randn(4, 4, 3):
    hidden = model(x, edges, hidden)
    optimizer.zero_grad()
    hidden.pow(2).mean().backward()  # raises
    optimizer.step()
