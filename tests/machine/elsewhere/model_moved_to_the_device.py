import torch
from torch import nn
from torch.nn import functional as F


def fit(model, batches, device="cpu"):
    model = model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    state = None
    for x, y in batches:
        guess, state = model(x.to(device), state)  # want: SP101
        loss = F.mse_loss(guess, y.to(device))
        optimizer.zero_grad()
        loss.backward()  # raises
        optimizer.step()


# --- driver
fit(nn.GRU(3, 4), [(torch.randn(2, 1, 3), torch.randn(2, 1, 4)) for _ in range(3)])
