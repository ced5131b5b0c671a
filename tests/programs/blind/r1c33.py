# judge: verdict only
# PINN with L-BFGS: boundary term computed outside the closure
import math
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(42)

N_COLLOC = 40
OUTER = 7
LAMBDA_BC = 10.0


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    return nn.Sequential(*layers)


def derivative(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual_loss(net, x):
    u = net(x)
    u_xx = derivative(derivative(u, x), x)
    f = -(math.pi ** 2) * torch.sin(math.pi * x)
    return (u_xx - f).pow(2).mean()


def boundary_loss(net):
    ends = torch.tensor([[-1.0], [1.0]])
    return net(ends).pow(2).mean()


net = mlp([1, 16, 16, 1])
x = torch.linspace(-1, 1, N_COLLOC).reshape(-1, 1).requires_grad_()
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.8, max_iter=6, line_search_fn="strong_wolfe")
history = []

for it in range(OUTER):
    bc = boundary_loss(net)

    def closure():
        optimizer.zero_grad()
        loss = residual_loss(net, x) + LAMBDA_BC * bc
        loss.backward()  # raises
        history.append(loss.item())
        return loss

    optimizer.step(closure)
    print(f"outer {it}: evals={len(history)} loss={history[-1]:.3e}")

with torch.no_grad():
    grid = torch.linspace(-1, 1, 101).reshape(-1, 1)
    err = (net(grid) - torch.sin(math.pi * grid)).abs().max()
print("max error", float(err))
