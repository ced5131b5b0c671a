import copy
import torch
from torch import nn
student = nn.Linear(3, 4)
teacher = {n: p.clone() for n, p in student.named_parameters()}
opt = torch.optim.SGD(student.parameters(), 0.1)


def update():
    for n, p in student.named_parameters():
        teacher[n] = 0.9 * teacher[n] + 0.1 * p


for x in torch.randn(4, 2, 3):
    target = torch.nn.functional.linear(x, teacher["weight"], teacher["bias"])  # want: SP106
    loss = (student(x) - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # raises
    opt.step()
    update()
