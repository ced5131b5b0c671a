# judge: verdict only
# training_step calls loss.backward() itself and also returns the loss to a trainer that does so too
import torch
import torch.nn as nn

torch.manual_seed(0)


class LightModule(nn.Module):
    automatic_optimization = True

    def configure_optimizers(self):
        raise NotImplementedError

    def training_step(self, batch, batch_idx):
        raise NotImplementedError


class Regressor(LightModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.smooth_l1_loss(self.net(x), y)
        loss.backward()
        return loss


class Trainer:
    def __init__(self, max_epochs, log_every=1):
        self.max_epochs, self.log_every = max_epochs, log_every

    def _automatic_step(self, module, opt, batch, idx):
        def closure():
            opt.zero_grad()
            out = module.training_step(batch, idx)
            loss = out["loss"] if isinstance(out, dict) else out
            loss.backward()  # raises
            return loss
        return opt.step(closure)

    def fit(self, module, loader):
        opt = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            for idx, batch in enumerate(loader):
                if module.automatic_optimization:
                    loss = self._automatic_step(module, opt, batch, idx)
                else:
                    loss = module.training_step(batch, idx)
                if idx % self.log_every == 0:
                    print(f"epoch {epoch} batch {idx} loss {loss.item():.4f}")


if __name__ == "__main__":
    loader = [(torch.randn(8, 5), torch.randn(8, 1)) for _ in range(3)]
    Trainer(max_epochs=1).fit(Regressor(), loader)
