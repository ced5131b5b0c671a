# judge: verdict only
# Custom Function keeps its own inner graph on ctx; the outer retain_graph=True does not reach the inner call
import torch
import torch.nn as nn

torch.manual_seed(0)


class IterateFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, block, steps, *params):
        with torch.enable_grad():
            inp = x.detach().requires_grad_(True)
            out = inp
            for _ in range(steps):
                out = out + 0.5 * torch.tanh(block(out))
        ctx.inp, ctx.out, ctx.params = inp, out, params
        return out.detach()

    @staticmethod
    def backward(ctx, grad_output):
        grads = torch.autograd.grad(ctx.out, (ctx.inp, *ctx.params), grad_output)  # raises
        return (grads[0], None, None, *grads[1:])


class ReversibleStack(nn.Module):
    def __init__(self, dim, steps=3):
        super().__init__()
        self.block, self.steps = nn.Linear(dim, dim), steps

    def forward(self, x):
        return IterateFn.apply(x, self.block, self.steps, *self.block.parameters())


class Autoencoder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.inp, self.rev, self.out = nn.Linear(dim, dim), ReversibleStack(dim), nn.Linear(dim, dim)

    def forward(self, x):
        code = self.rev(self.inp(x))
        return self.out(code), code


model = Autoencoder()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(3):
    x = torch.randn(6, 8)
    recon, code = model(x)
    sparsity = code.abs().mean()
    error = (recon - x).pow(2).mean()
    opt.zero_grad()
    (0.01 * sparsity).backward(retain_graph=True)
    error.backward()
    opt.step()
    print(step, round(error.item(), 4))
