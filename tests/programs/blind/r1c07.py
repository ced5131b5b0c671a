# judge: verdict only
# koopman rollout writes each predicted state into one preallocated tensor
import torch
from torch import nn


class LatentDynamics(nn.Module):
    """Encodes a first observation and integrates a learned vector field."""

    def __init__(self, obs_dim=3, latent=5, dt=0.1):
        super().__init__()
        self.enc = nn.Linear(obs_dim, latent)
        self.field = nn.Sequential(nn.Linear(latent, 16), nn.Tanh(), nn.Linear(16, latent))
        self.dec = nn.Linear(latent, obs_dim)
        self.dt = dt

    def forward(self, first, steps):
        z0 = self.enc(first)
        traj = torch.zeros(steps + 1, *z0.shape)
        traj[0] = z0
        for t in range(steps):
            traj[t + 1] = traj[t] + self.dt * self.field(traj[t])
        return self.dec(traj)


@torch.no_grad()
def lorenz(batch, steps, dt=0.02):
    x = torch.randn(batch, 3)
    out = [x]
    for _ in range(steps):
        a, b, c = x.unbind(-1)
        x = x + dt * torch.stack([10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c], -1)
        out.append(x)
    return torch.stack(out) / 20.0


def fit(iterations=20, steps=6, batch=16):
    model = LatentDynamics()
    optim = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.StepLR(optim, 10, 0.5)
    for it in range(iterations):
        target = lorenz(batch, steps)
        pred = model(target[0], steps)
        loss = (pred - target).square().mean()
        optim.zero_grad(set_to_none=True)
        loss.backward()  # raises: inplace
        optim.step()
        sched.step()
        if it % 5 == 0:
            print(it, round(loss.item(), 5), sched.get_last_lr())
    return model


if __name__ == "__main__":
    torch.manual_seed(0)
    fit()
