# judge: verdict only
# equilibrium layer: autograd.grad with retain inside a tensor hook; memories cut in a helper
import torch
import torch.nn as nn
from torch import autograd

torch.manual_seed(0)


def fixed_point(f, z, n_iter=25):
    for _ in range(n_iter):
        z = f(z)
    return z


class EquilibriumLayer(nn.Module):
    def __init__(self, d_model=8, mem_len=4):
        super().__init__()
        self.inject = nn.Linear(d_model, d_model)
        self.recur = nn.Linear(d_model, d_model)
        self.mem_proj = nn.Linear(d_model, d_model)
        self.recur.weight.data.mul_(0.3)
        self.mem_len, self.hook = mem_len, None

    def func(self, z, u, mem):
        return torch.tanh(self.recur(z) + u + 0.3 * self.mem_proj(mem.mean(1, keepdim=True)))

    def forward(self, x, mem):
        u = self.inject(x)
        with torch.no_grad():
            z = fixed_point(lambda q: self.func(q, u, mem), torch.zeros_like(u))
        new_z = z
        if self.training:
            z.requires_grad_()
            new_z = self.func(z, u, mem)

            def backward_hook(grad):
                if self.hook is not None:
                    self.hook.remove()
                    self.hook = None
                step = lambda y: autograd.grad(new_z, z, y, retain_graph=True)[0] + grad
                return fixed_point(step, torch.zeros_like(grad), 20)

            self.hook = new_z.register_hook(backward_hook)
        return new_z, self._update_mem(new_z, mem)

    def _update_mem(self, z, mem):
        with torch.no_grad():
            return torch.cat([mem, z], dim=1)[:, -self.mem_len:].detach()


class Model(nn.Module):
    def __init__(self, vocab=14):
        super().__init__()
        self.emb, self.deq, self.out = nn.Embedding(vocab, 8), EquilibriumLayer(), nn.Linear(8, vocab)

    def forward(self, data, target, mem):
        z, mem = self.deq(self.emb(data), mem)
        loss = nn.functional.cross_entropy(self.out(z).transpose(1, 2), target)
        return loss, mem


stream = torch.randint(0, 14, (2, 41))
model = Model()
optimizer = torch.optim.Adam(model.parameters(), 1e-2)
mem = torch.zeros(2, 4, 8)
for batch in range(8):
    x, y = stream[:, batch * 5:batch * 5 + 5], stream[:, batch * 5 + 1:batch * 5 + 6]
    model.zero_grad()
    ret = model(x, y, mem)
    loss, mem = ret
    loss.backward()
    optimizer.step()
