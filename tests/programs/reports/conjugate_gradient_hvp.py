# judge: verdict only
# TRPO: Hessian-vector products by a closure over gradients made with create_graph
import torch
import torch.nn as nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(0)


class GaussianPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.log_std = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2)), nn.Parameter(torch.zeros(2))

    def forward(self, s):
        return torch.distributions.Normal(self.mu(s), self.log_std.exp())


def flat(grads, params):
    return torch.cat([torch.zeros_like(p).flatten() if g is None else g.flatten() for g, p in zip(grads, params)])


def hessian_vector_product(flat_grads, params, damping=1e-2):
    def fvp(vec):
        prod = torch.sum(flat_grads * vec)
        return flat(torch.autograd.grad([prod], params, retain_graph=True, allow_unused=True), params) + damping * vec
    return fvp


def conjugate_gradient(A, b, iters=6):
    x, r, p = torch.zeros_like(b), b.clone(), b.clone()
    rr = r @ r
    for _ in range(iters):
        Ap = A(p)
        a = rr / (p @ Ap)
        x, r = x + a * p, r - a * Ap
        new = r @ r
        p, rr = r + (new / rr) * p, new
    return x


policy = GaussianPolicy()
vf = nn.Linear(4, 1)
vf_opt = torch.optim.Adam(vf.parameters(), 1e-2)
for update in range(3):
    s, a, ret = torch.randn(20, 4), torch.randn(20, 2), torch.randn(20)
    adv = (ret - vf(s).squeeze(1)).detach()
    params = list(policy.parameters())
    dist = policy(s)
    with torch.no_grad():
        old = policy(s)
        old_logp = old.log_prob(a).sum(-1)
    gain = torch.mean((dist.log_prob(a).sum(-1) - old_logp).exp() * adv)
    kl = torch.distributions.kl_divergence(old, dist).sum(-1).mean()
    g = flat(torch.autograd.grad(gain, params, retain_graph=True), params)
    kl_grads = flat(torch.autograd.grad(kl, params, create_graph=True, allow_unused=True), params)
    Fvp = hessian_vector_product(kl_grads, params)
    direction = conjugate_gradient(Fvp, g)
    scale = torch.sqrt(2 * 0.01 / (direction @ Fvp(direction)))
    start = parameters_to_vector(params).clone()
    for k in range(8):
        vector_to_parameters((start + 0.5 ** k * scale * direction).detach(), params)
        with torch.no_grad():
            if torch.distributions.kl_divergence(old, policy(s)).sum(-1).mean() < 0.01:
                break
    for _ in range(3):
        vf_opt.zero_grad()
        (vf(s).squeeze(1) - ret).pow(2).mean().backward()
        vf_opt.step()
