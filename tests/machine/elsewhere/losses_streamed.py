import torch
from torch import nn
from torch.nn import functional as F


class Codec(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(6, 3), nn.Linear(3, 3)

    def losses(self, frames):
        last = None
        for frame in frames:
            code = torch.tanh(self.enc(torch.cat([frame, last if last is not None else torch.zeros(3)])))  # want: SP101
            loss = F.mse_loss(self.dec(code), frame)
            yield loss
            last = code


def drain(stream, opt):
    total = 0.0
    for _, loss in enumerate(stream):
        opt.zero_grad()
        loss.backward()  # raises
        opt.step()
        total += loss.item()
    return total


# --- driver
c = Codec()
drain(c.losses(torch.randn(4, 3)), torch.optim.SGD(c.parameters(), 0.1))
