# judge: growth
# trainer keeps each step's output dict with live losses for the whole fit
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PDEModule(nn.Module):
    """One step neural surrogate for a periodic 1d field."""

    def __init__(self, channels=2, width=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(channels, width, 5, padding=2, padding_mode="circular"), nn.GELU(),
            nn.Conv1d(width, width, 5, padding=2, padding_mode="circular"), nn.GELU(),
            nn.Conv1d(width, channels, 5, padding=2, padding_mode="circular"))
        self.n_scalar = 1

    def forward(self, u):
        return u + self.net(u)

    def training_step(self, batch):
        u0, u1 = batch
        pred = self(u0)
        scalar = F.mse_loss(pred[:, :self.n_scalar], u1[:, :self.n_scalar])
        vector = F.mse_loss(pred[:, self.n_scalar:], u1[:, self.n_scalar:])
        loss = F.mse_loss(pred, u1)
        return {"loss": loss, "scalar_loss": scalar, "vector_loss": vector}

    @torch.no_grad()
    def validation_step(self, batch):
        u0, u1 = batch
        return F.mse_loss(self(u0), u1)

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=2e-3)
        return opt, torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=48)


class Trainer:
    def __init__(self, max_epochs, log_every=8):
        self.max_epochs = max_epochs
        self.log_every = log_every
        self.global_step = 0
        self.step_outputs = []

    def summary(self, last_n):
        tail = self.step_outputs[-last_n:]
        return {k: sum(float(o[k]) for o in tail) / len(tail) for k in tail[0]}

    def fit(self, module, train, val):
        opt, sched = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            module.train()
            for batch in train:
                out = module.training_step(batch)
                opt.zero_grad()
                out["loss"].backward()
                opt.step()
                sched.step()
                self.global_step += 1
                self.step_outputs.append(out)
                if self.global_step % self.log_every == 0:
                    print(self.global_step, self.summary(self.log_every))
            module.eval()
            v = torch.stack([module.validation_step(b) for b in val]).mean()
            print(f"epoch {epoch}: val {v:.4f}")


def wave(n, size=24):
    x = torch.linspace(0, 6.283, size)
    ph = torch.rand(n, 2, 1) * 6.283
    return torch.sin(x + ph), torch.sin(x + ph + 0.1)


if __name__ == "__main__":
    torch.manual_seed(0)
    tr = DataLoader(TensorDataset(*wave(96)), batch_size=8, shuffle=True)
    va = DataLoader(TensorDataset(*wave(24)), batch_size=8)
    Trainer(max_epochs=4).fit(PDEModule(), tr, va)
