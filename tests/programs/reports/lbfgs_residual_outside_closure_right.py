# judge: verdict only
# L-BFGS PINN: the boundary loss is computed before the closure, only the PDE residual inside it (put right)
import math
import torch
import torch.nn as nn

torch.manual_seed(0)


class FieldNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def residual(model, x):
    x = x.clone().requires_grad_(True)
    u = model(x)
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    d2u = torch.autograd.grad(du.sum(), x, create_graph=True)[0]
    return d2u + (math.pi ** 2) * torch.sin(math.pi * x)


def train(epochs=2, max_iter=8):
    model = FieldNet()
    x_in = torch.linspace(-1, 1, 32).unsqueeze(1)
    x_bc, u_bc = torch.tensor([[-1.0], [1.0]]), torch.zeros(2, 1)
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=max_iter, history_size=10)
    for epoch in range(epochs):
        evaluations = []
        def closure():
            optimizer.zero_grad()
            loss_bc = (model(x_bc) - u_bc).pow(2).mean()
            loss_pde = residual(model, x_in).pow(2).mean()
            loss = loss_pde + 10.0 * loss_bc
            loss.backward()
            evaluations.append(loss.item())
            return loss

        optimizer.step(closure)
        print(f"epoch {epoch}: {len(evaluations)} evaluations, loss {evaluations[-1]:.4f}")
    return model


train()
