import copy
import torch
from torch import nn
student = nn.Sequential(nn.Linear(3, 4), nn.Tanh())


class Centre(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("centre", torch.zeros(4))

    def forward(self, out):
        loss = (out - self.centre).pow(2).mean()
        self.update(out)
        return loss

    @torch.no_grad()
    def update(self, out):
        self.centre = self.centre * 0.9 + out.mean(0) * 0.1


crit = Centre()
opt = torch.optim.SGD(student.parameters(), 0.1)
for x in torch.randn(4, 2, 3):
    loss = crit(student(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
