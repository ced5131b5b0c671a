import torch
from torch import nn
body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
params = [*body.parameters(), *a.parameters(), *b.parameters()]
opt = torch.optim.SGD(params, 0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)


def amp_step(losses):
    opt.zero_grad()
    for loss in losses.values():
        scaler.scale(loss).backward()  # raises
    scaler.step(opt)
    scaler.update()


for x in torch.randn(3, 5, 4):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = torch.relu(body(x))
        losses = {"a": a(z).float().pow(2).mean(), "b": b(z).float().abs().mean()}  # want: SP103
    amp_step(losses)
