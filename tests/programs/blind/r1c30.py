# judge: verdict only
# inverse PINN: nested autograd.grad and a closure called several times
import torch
from torch import nn


class HeatPINN(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_kappa = nn.Parameter(torch.tensor(-1.0))

    @property
    def kappa(self):
        return self.log_kappa.exp()

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))

    def residual(self, x, t):
        u = self(x, t)
        one = torch.ones_like(u)
        u_t, = torch.autograd.grad(u, t, one, create_graph=True)
        u_x, = torch.autograd.grad(u, x, one, create_graph=True)
        u_xx, = torch.autograd.grad(u_x, x, one, create_graph=True)
        return u_t - self.kappa * u_xx


class Problem:
    def __init__(self, n=50):
        g = torch.Generator().manual_seed(0)
        self.x = torch.rand(n, 1, generator=g).requires_grad_()
        self.t = torch.rand(n, 1, generator=g).requires_grad_()
        self.xd, self.td = torch.rand(n, 1, generator=g), torch.rand(n, 1, generator=g)
        self.ud = torch.exp(-0.3 * 9.87 * self.td) * torch.sin(3.1416 * self.xd)

    def loss(self, model):
        return model.residual(self.x, self.t).pow(2).mean() + 10 * (model(self.xd, self.td) - self.ud).pow(2).mean()


def solve():
    torch.manual_seed(1)
    model, problem = HeatPINN(), Problem()
    adam = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(20):
        adam.zero_grad()
        loss = problem.loss(model)
        loss.backward()
        adam.step()
    lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=5, history_size=5)
    evals = 0
    for outer in range(6):
        def closure():
            nonlocal evals
            lbfgs.zero_grad()
            value = problem.loss(model)
            value.backward()
            evals += 1
            return value

        loss = lbfgs.step(closure)
        print(f"outer {outer}: loss {loss.item():.5f} kappa {model.kappa.item():.3f} evals {evals}")


solve()
