# judge: verdict only
# Metrics helper measures the gradient norm with autograd.grad just before loss.backward()
import torch
from torch import nn

torch.manual_seed(0)


class Metrics:
    def __init__(self, log_every=3):
        self.log_every = log_every
        self.rows = []

    def grad_norm(self, loss, model):
        params = [p for p in model.parameters() if p.requires_grad]
        grads = torch.autograd.grad(loss, params)
        return torch.stack([g.norm() for g in grads]).norm().item()

    def update(self, step, loss, model):
        if step % self.log_every == 0:
            self.rows.append((step, loss.item(), self.grad_norm(loss, model)))

    def report(self):
        for step, loss, norm in self.rows:
            print(f"step {step}: loss={loss:.4f} grad_norm={norm:.4f}")


def make_model():
    return nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, 4))


def train(model, steps, metrics):
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    for step in range(1, steps + 1):
        x, y = torch.randn(16, 8), torch.randint(0, 4, (16,))
        optimizer.zero_grad()
        logits = model(x)
        loss = criterion(logits, y)
        metrics.update(step, loss, model)
        loss.backward()  # raises
        optimizer.step()
        scheduler.step()


metrics = Metrics()
train(make_model(), 6, metrics)
metrics.report()
