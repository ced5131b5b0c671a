# judge: growth
# Hand-written batch norm updates running_mean with tensors that carry a graph
import torch
import torch.nn as nn

torch.manual_seed(0)


class BatchNormFlow(nn.Module):
    def __init__(self, features, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.log_gamma = nn.Parameter(torch.zeros(features))
        self.beta = nn.Parameter(torch.zeros(features))
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("running_var", torch.ones(features))

    def forward(self, x):
        if self.training:
            mean, var = x.mean(0), x.var(0)
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var
        else:
            mean, var = self.running_mean, self.running_var
        z = (x - mean) / torch.sqrt(var + self.eps) * self.log_gamma.exp() + self.beta
        logdet = (self.log_gamma - 0.5 * torch.log(var + self.eps)).sum()
        return z, logdet


class Flow(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.shift = nn.Sequential(nn.Linear(dim, 16), nn.Tanh(), nn.Linear(16, dim))
        self.norm = BatchNormFlow(dim)

    def forward(self, x):
        mask = torch.tensor([1.0, 0.0]).repeat(x.size(1) // 2)
        x = x + (1 - mask) * self.shift(x * mask)
        return self.norm(x)


flow = Flow(4)
optimizer = torch.optim.Adam(flow.parameters(), lr=1e-3)
for step in range(8):
    z, logdet = flow(torch.randn(32, 4) * 2 + 1)
    nll = 0.5 * z.pow(2).sum(1).mean() - logdet
    optimizer.zero_grad()
    nll.backward()
    optimizer.step()
    print(step, round(nll.item(), 4))
flow.eval()
with torch.no_grad():
    print("eval", flow(torch.randn(8, 4))[0].mean().item())
