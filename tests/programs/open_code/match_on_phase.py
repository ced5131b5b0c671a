import torch
from torch import nn
gen, dis = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opts = {"d": torch.optim.SGD(dis.parameters(), 0.1), "g": torch.optim.SGD(gen.parameters(), 0.1)}


def run(phase, fake, real):
    match phase:
        case "d":
            return dis(fake).mean() - dis(real).mean()
        case "g":
            return -dis(fake).mean()  # want: SP103
        case _:
            raise ValueError(phase)


for real in torch.randn(3, 5, 3):
    fake = gen(torch.randn(5, 2))
    for phase in ("d", "g"):
        loss = run(phase, fake, real)
        opts[phase].zero_grad()
        loss.backward()  # raises
        opts[phase].step()
