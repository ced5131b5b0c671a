# judge: verdict only
# custom Function whose backward integrates an adjoint ODE with inner autograd.grad(retain_graph=True)
import torch
import torch.nn as nn

torch.manual_seed(0)


def euler(f, y, t0, t1, n=8):
    h = (t1 - t0) / n
    for i in range(n):
        y = tuple(a + h * b for a, b in zip(y, f(t0 + i * h, y)))
    return y


class AdjointIntegral(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, y0, t, *params):
        with torch.no_grad():
            ys = [y0]
            for a, b in zip(t[:-1], t[1:]):
                ys.append(euler(lambda s, y: (func(s, y[0]),), (ys[-1],), a, b)[0])
            ys = torch.stack(ys)
        ctx.func = func
        ctx.save_for_backward(t, ys, *params)
        return ys

    @staticmethod
    def backward(ctx, grad_ys):
        t, ys, *params = ctx.saved_tensors
        func = ctx.func

        def dynamics(s, aug):
            y, adj = aug[0], aug[1]
            with torch.enable_grad():
                y = y.detach().requires_grad_(True)
                out = func(s, y)
                vjps = torch.autograd.grad(out, (y, *params), -adj, allow_unused=True, retain_graph=True)
            vjps = [torch.zeros_like(q) if v is None else v for v, q in zip(vjps, (y, *params))]
            return (out.detach(), *vjps)

        with torch.no_grad():
            aug = (ys[-1], grad_ys[-1], *[torch.zeros_like(q) for q in params])
            for i in range(len(t) - 1, 0, -1):
                aug = euler(dynamics, aug, t[i], t[i - 1])
                aug = (ys[i - 1], aug[1] + grad_ys[i - 1], *aug[2:])
        return (None, aug[1], None, *aug[2:])


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y ** 3)


func = Dynamics()
opt = torch.optim.RMSprop(func.parameters(), lr=1e-3)
t = torch.linspace(0.0, 1.0, 4)
y0, target = torch.tensor([[2.0, 0.0]]), torch.randn(4, 1, 2)
for itr in range(5):
    opt.zero_grad()
    pred = AdjointIntegral.apply(func, y0, t, *func.parameters())
    loss = torch.mean(torch.abs(pred - target))
    loss.backward()
    opt.step()
    nfe, func.nfe = func.nfe, 0
