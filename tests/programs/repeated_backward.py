"""One loss, two walks, and nothing kept between them."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
x = torch.randn(8, 3)
loss = model(x).pow(2).mean()
loss.backward()
print("gradient norm", sum(p.grad.norm() for p in model.parameters()))
loss.backward()  # raises  # want: SP102
