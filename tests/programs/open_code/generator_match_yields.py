import torch
from torch import nn
cell = nn.GRUCell(3, 4)


def losses(batches):
    h = torch.zeros(2, 4)
    for kind, x in batches:
        match kind:
            case "train":
                h = cell(x, h)  # want: SP101
                yield h.mean()
            case "skip":
                continue


for loss in losses([("train", torch.randn(2, 3)), ("skip", None), ("train", torch.randn(2, 3)), ("train", torch.randn(2, 3))]):
    loss.backward()  # raises
