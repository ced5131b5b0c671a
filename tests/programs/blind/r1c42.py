# judge: verdict only
# forward hooks append activations for a sparsity penalty, list never emptied
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SparseAE(nn.Module):
    def __init__(self, d=20, h=(12, 6)):
        super().__init__()
        self.enc1 = nn.Linear(d, h[0])
        self.enc2 = nn.Linear(h[0], h[1])
        self.dec1 = nn.Linear(h[1], h[0])
        self.dec2 = nn.Linear(h[0], d)

    def forward(self, x):
        z = torch.sigmoid(self.enc1(x))
        z = torch.sigmoid(self.enc2(z))
        return self.dec2(torch.relu(self.dec1(z)))


class ActivationTap:
    def __init__(self, model, names):
        self.feats = []
        self.handles = [
            module.register_forward_hook(self._grab)
            for name, module in model.named_modules()
            if name in names
        ]

    def _grab(self, module, args, output):
        self.feats.append(output)

    def penalty(self, rho=0.05):
        total = 0.0
        for f in self.feats:
            q = torch.sigmoid(f).mean(0).clamp(1e-4, 1 - 1e-4)
            total = total + (rho * torch.log(rho / q) + (1 - rho) * torch.log((1 - rho) / (1 - q))).sum()
        return total

    def close(self):
        for h in self.handles:
            h.remove()


def train(model, loader, tap, optimizer, beta):
    running = 0.0
    for (x,) in loader:
        optimizer.zero_grad()
        recon = model(x)
        loss = nn.functional.mse_loss(recon, x) + beta * tap.penalty()
        loss.backward()  # raises
        optimizer.step()
        running += loss.item() * len(x)
    return running / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(9)
    loader = DataLoader(TensorDataset(torch.rand(80, 20)), batch_size=16, shuffle=True)
    ae = SparseAE()
    tap = ActivationTap(ae, {"enc1", "enc2"})
    optimizer = torch.optim.Adam(ae.parameters(), lr=5e-3)
    for epoch in range(5):
        print("epoch", epoch, "loss", train(ae, loader, tap, optimizer, 1e-3))
    tap.close()
