# A generator's `for ... else` runs its `else` when the loop was not left, and not when it was
import torch
import torch.nn as nn

cell = nn.GRUCell(3, 3)


def batches(count, last):
    for i in range(count):
        if i > last:
            break
        yield torch.randn(2, 3)
    else:
        yield None


h = cell(torch.randn(2, 3), torch.zeros(2, 3))
h.sum().backward()
for x in batches(4, 1):
    if x is None:
        h.sum().backward()
for x in batches(2, 5):
    if x is None:
        h.sum().backward()  # raises  # want: SP105
