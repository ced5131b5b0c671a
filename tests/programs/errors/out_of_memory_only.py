# Only an out-of-memory error is taken, by its words
import torch
import torch.nn as nn

encoder = nn.Linear(3, 4)
head = nn.Linear(4, 1)
features = encoder(torch.randn(2, 3)).tanh()
skipped = 0
for _ in range(3):
    try:
        head(features).mean().backward()  # raises  # want: SP103
    except RuntimeError as e:
        if "CUDA out of memory" not in e.args[0]:
            raise
        skipped += 1
