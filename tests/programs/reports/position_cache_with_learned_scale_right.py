# judge: verdict only
# Positional encodings memoised in a dict keyed by (H, W) although they depend on a learnable scale (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class GridEncoding(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.frequency = nn.Parameter(torch.ones(d_model // 4))
        self._encodings = {}

    def forward(self, h, w):
        key = (h, w)
        if key not in self._encodings:
            y = torch.linspace(-1, 1, h)
            x = torch.linspace(-1, 1, w)
            grid_y, grid_x = torch.meshgrid(y, x, indexing="ij")
            coords = torch.stack([grid_y, grid_x], dim=-1).view(h * w, 2, 1)
            self._encodings[key] = coords
        phase = self._encodings[key] * self.frequency
        return torch.cat([phase.sin(), phase.cos()], dim=-1)


class PatchMatcher(nn.Module):
    def __init__(self, channels=3, d_model=16):
        super().__init__()
        self.stem = nn.Conv2d(channels, d_model, 3, padding=1)
        self.position = GridEncoding(d_model)
        self.readout = nn.Linear(d_model, 2)

    def forward(self, image):
        feat = self.stem(image)
        b, c, h, w = feat.shape
        tokens = feat.flatten(2).transpose(1, 2)
        tokens = tokens + self.position(h, w).reshape(1, h * w, c)
        return self.readout(tokens.mean(1))


model = PatchMatcher()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step, (h, w) in enumerate([(6, 6), (4, 8), (6, 6), (4, 8)]):
    image = torch.rand(2, 3, h, w)
    target = torch.randint(0, 2, (2,))
    loss = nn.functional.cross_entropy(model(image), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, (h, w), round(loss.item(), 4))
