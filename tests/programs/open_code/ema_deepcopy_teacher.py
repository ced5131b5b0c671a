import copy
import torch
from torch import nn
student = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
teacher = copy.deepcopy(student).requires_grad_(False)
opt = torch.optim.SGD(student.parameters(), 0.1)
centre = torch.zeros(4)
for x in torch.randn(4, 2, 3):
    out = teacher(x)
    loss = (student(x) - (out - centre)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    centre = 0.9 * centre + 0.1 * out.mean(0)
    with torch.no_grad():
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.lerp_(s, 0.1)
