"""A file that says it is no longer to be run: what stands below never is."""

import torch

layer = torch.nn.Linear(3, 3)
loss = torch.tanh(layer(torch.randn(2, 3))).sum()
loss.backward()
print("this script has moved: run train.py")
raise SystemExit(0)

loss.backward()
