# judge: verdict only
# Sparse GP memoises its Cholesky factor while in eval(); optimising the input needs several backwards
import functools

import torch
import torch.nn as nn

torch.manual_seed(0)


def memoise(method):
    @functools.wraps(method)
    def wrapper(self):
        memo = self.__dict__.setdefault("_memo", {})
        if self.training or method.__name__ not in memo:
            memo[method.__name__] = method(self)
        return memo[method.__name__]
    return wrapper


class SparseGP(nn.Module):
    def __init__(self, inducing):
        super().__init__()
        self.inducing = nn.Parameter(inducing)
        self.log_lengthscale = nn.Parameter(torch.zeros(()))
        self.mean_u = nn.Parameter(torch.randn(len(inducing)))

    def train(self, mode=True):
        self.__dict__.pop("_memo", None)
        return super().train(mode)

    def kernel(self, a, b):
        d = (a[:, None] - b[None]).pow(2).sum(-1)
        return torch.exp(-0.5 * d / self.log_lengthscale.exp() ** 2)

    @memoise
    def chol(self):
        k = self.kernel(self.inducing, self.inducing)
        return torch.linalg.cholesky(k + 1e-3 * torch.eye(len(k)))

    def forward(self, x):
        interp = torch.linalg.solve_triangular(self.chol(), self.kernel(self.inducing, x), upper=False)
        return interp.t() @ self.mean_u


model = SparseGP(torch.rand(5, 2))
model.eval()
candidate = torch.rand(3, 2).requires_grad_(True)
opt = torch.optim.SGD([candidate], lr=0.1)
for step in range(4):
    opt.zero_grad()
    acquisition = -model(candidate).mean()
    acquisition.backward()  # raises
    opt.step()
    print(step, round(acquisition.item(), 4))
