# judge: verdict only
# Jacobian assembled row by row with autograd.grad on one forward pass (put right)
import torch
from torch import nn

torch.manual_seed(0)


class LatentGeometry:
    """Pull-back metric of a decoder, used to measure distances in latent space."""

    def __init__(self, decoder):
        self.decoder = decoder.eval()

    def jacobian(self, z):
        z = z.detach().requires_grad_(True)
        y = self.decoder(z)
        rows = []
        for i in range(y.numel()):
            row = torch.autograd.grad(y[i], z, retain_graph=True)[0]
            rows.append(row)
        return torch.stack(rows)

    def metric(self, z):
        j = self.jacobian(z)
        return j.t() @ j

    def length(self, path):
        total = 0.0
        for a, b in zip(path[:-1], path[1:]):
            d = b - a
            total += torch.sqrt(d @ self.metric(a) @ d).item()
        return total


decoder = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 5))
geometry = LatentGeometry(decoder)
path = torch.stack([torch.linspace(-1, 1, 6), torch.linspace(0, 1, 6) ** 2], dim=1)
print("curve length", round(geometry.length(path), 4))
