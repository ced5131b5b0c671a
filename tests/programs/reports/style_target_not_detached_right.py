# judge: verdict only
# Style transfer: the texture target keeps the feature network's graph; LBFGS closure evaluates it repeatedly (put right)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def texture(maps):
    flat = maps.flatten(2)
    return flat @ flat.transpose(1, 2) / flat.shape[1:].numel()


class Probe(nn.Module):
    """Sits inside the feature stack, passes its input on and remembers how far it is from a goal."""

    def forward(self, maps):
        self.distance = self.measure(maps)
        return maps


class LayoutProbe(Probe):
    def __init__(self, wanted):
        super().__init__()
        self.wanted = wanted.detach()

    def measure(self, maps):
        return F.mse_loss(maps, self.wanted)


class TextureProbe(Probe):
    def __init__(self, wanted):
        super().__init__()
        self.wanted = texture(wanted).detach()

    def measure(self, maps):
        return F.mse_loss(texture(maps), self.wanted)


def with_probes(stack, photo, painting):
    probed, layout, style = nn.Sequential(), [], []
    for stage in stack:
        probed.append(stage)
        if isinstance(stage, nn.Conv2d):
            layout.append(LayoutProbe(probed(photo)))
            style.append(TextureProbe(probed(painting)))
            probed.extend([layout[-1], style[-1]])
    return probed, layout, style


def stylise(photo, painting, evaluations=12):
    stack = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.Conv2d(6, 6, 3), nn.ReLU()).eval()
    probed, layout, style = with_probes(stack, photo, painting)
    canvas = photo.clone().requires_grad_(True)
    optimizer, log = torch.optim.LBFGS([canvas]), []

    def closure():
        optimizer.zero_grad()
        probed(canvas)
        loss = sum(p.distance for p in layout) + 1e3 * sum(p.distance for p in style)
        loss.backward()
        log.append(loss.item())
        return loss

    while len(log) < evaluations:
        optimizer.step(closure)
    return canvas.detach(), log


_, log = stylise(torch.rand(1, 3, 10, 10), torch.rand(1, 3, 10, 10))
print(len(log), log[0], log[-1])
