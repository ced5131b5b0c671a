import torch
from torch import nn
from torch.nn import functional as F


def run(accelerator, build_model, loader, lr=0.1):
    model = build_model()
    optimizer = torch.optim.SGD(model.parameters(), lr)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    hidden = None
    for x, y in loader:
        out, hidden = model(x, hidden)  # want: SP101
        loss = F.mse_loss(out, y)
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()


# --- driver
class Accelerator:
    def prepare(self, *args):
        return args

    def backward(self, loss):
        loss.backward()  # raises


run(Accelerator(), lambda: nn.GRU(2, 3), [(torch.randn(4, 1, 2), torch.randn(4, 1, 3)) for _ in range(3)])
