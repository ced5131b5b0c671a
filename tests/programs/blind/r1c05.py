# judge: verdict only
# lru_cache on a trainable prompt encoder
import functools
import zlib

import torch
import torch.nn as nn
import torch.nn.functional as F

TEMPLATE = "a photo of a {}"


def tokenize(text, vocab=50):
    return torch.tensor([zlib.crc32(w.encode()) % vocab for w in text.split()])


class PromptEncoder(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.ctx = nn.Parameter(torch.randn(2, dim) * 0.02)
        self.mix = nn.Linear(dim, dim)

    @functools.lru_cache(maxsize=None)
    def encode(self, name):
        ids = tokenize(TEMPLATE.format(name))
        seq = torch.cat([self.ctx, self.tok(ids)])
        return F.normalize(self.mix(seq.mean(0)), dim=0)

    def forward(self, names):
        return torch.stack([self.encode(n) for n in names])


class ImageTower(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


EPISODES = [
    ["cat", "dog", "fox"],
    ["car", "bus", "tram"],
    ["oak", "dog", "rose"],
    ["cup", "pen", "lamp"],
]


def contrastive(img, txt, scale=10.0):
    logits = scale * img @ txt.t()
    target = torch.arange(len(logits))
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2


def run(epochs=2):
    torch.manual_seed(0)
    text, image = PromptEncoder(), ImageTower()
    opt = torch.optim.Adam([*text.parameters(), *image.parameters()], lr=1e-3)
    for epoch in range(epochs):
        for names in EPISODES:
            pics = torch.rand(len(names), 3, 4, 4)
            loss = contrastive(image(pics), text(names))
            opt.zero_grad()
            loss.backward()  # raises
            opt.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    run()
