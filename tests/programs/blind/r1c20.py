# judge: verdict only
# recurrent video super-resolution: loss walked every two frames, features never cut
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F


class RecurrentSR(nn.Module):
    def __init__(self, ch=8, scale=2):
        super().__init__()
        self.fuse = nn.Conv2d(3 + ch, ch, 3, padding=1)
        self.refine = nn.Conv2d(ch, ch, 3, padding=1)
        self.up = nn.Sequential(nn.Conv2d(ch, 3 * scale ** 2, 3, padding=1), nn.PixelShuffle(scale))
        self.ch = ch
        self.prev = None

    def forward(self, frame):
        if self.prev is None:
            b, _, h, w = frame.shape
            self.prev = frame.new_zeros(b, self.ch, h, w)
        feat = F.leaky_relu(self.fuse(torch.cat([frame, self.prev], 1)), 0.1)
        self.prev = feat + self.refine(feat)
        return self.up(self.prev) + F.interpolate(frame, scale_factor=2, mode="bilinear", align_corners=False)


@contextlib.contextmanager
def fresh_state(net):
    net.prev = None
    try:
        yield net
    finally:
        net.prev = None


def charbonnier(a, b, eps=1e-3):
    return torch.sqrt((a - b) ** 2 + eps ** 2).mean()


def clips(n, frames=6, size=12):
    for _ in range(n):
        base = torch.rand(1, 3, size, size)
        hr = torch.stack([torch.roll(base, t, dims=-1) for t in range(frames)])
        lr = F.avg_pool2d(hr.flatten(0, 1), 2).view(frames, 1, 3, size // 2, size // 2)
        yield lr, hr


def train(window_size=2):
    torch.manual_seed(0)
    net = RecurrentSR()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for c, (lr, hr) in enumerate(clips(3)):
        with fresh_state(net):
            window, shown = [], 0.0
            for t in range(lr.size(0)):
                window.append(charbonnier(net(lr[t]), hr[t]))
                if len(window) < window_size:
                    continue
                loss = sum(window) / len(window)
                opt.zero_grad()
                loss.backward()  # raises
                opt.step()
                shown = loss.item()
                window = []
        print(f"clip {c}: {shown:.4f}")


if __name__ == "__main__":
    train()
