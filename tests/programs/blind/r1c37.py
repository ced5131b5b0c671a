# judge: verdict only
# adversarial domain adaptation: discriminator stepped before the encoder loss is walked
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def domain(n, shift, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 2, (n,), generator=g)
    x = torch.randn(n, 6, generator=g) + y[:, None] * 1.5 + shift
    return DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True, drop_last=True)


class Adapter:
    def __init__(self, dim=6, feat=12):
        self.enc = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, feat))
        self.clf = nn.Linear(feat, 2)
        self.disc = nn.Sequential(nn.Linear(feat, 16), nn.ReLU(), nn.Linear(16, 2))
        self.opt_main = torch.optim.Adam(itertools.chain(self.enc.parameters(), self.clf.parameters()), lr=1e-3)
        self.opt_disc = torch.optim.Adam(self.disc.parameters(), lr=1e-3)
        self.lam = 0.3

    def step(self, xs, ys, xt):
        fs, ft = self.enc(xs), self.enc(xt)
        dom = torch.cat([torch.zeros(len(xs)), torch.ones(len(xt))]).long()
        dom_logits = self.disc(torch.cat([fs, ft]))
        disc_loss = F.cross_entropy(dom_logits, dom)
        conf_loss = F.cross_entropy(self.disc(torch.cat([fs, ft])), 1 - dom)
        cls_loss = F.cross_entropy(self.clf(fs), ys)

        self.opt_disc.zero_grad()
        disc_loss.backward(retain_graph=True)
        self.opt_disc.step()

        self.opt_main.zero_grad()
        (cls_loss + self.lam * conf_loss).backward()  # raises: inplace
        self.opt_main.step()
        return cls_loss.item(), disc_loss.item()


def main():
    torch.manual_seed(0)
    src, tgt = domain(96, 0.0, 1), domain(96, 0.8, 2)
    model = Adapter()
    for epoch in range(3):
        logs = []
        for (xs, ys), (xt, _) in zip(src, tgt):
            logs.append(model.step(xs, ys, xt))
        cls, disc = map(lambda v: sum(v) / len(v), zip(*logs))
        print(f"epoch {epoch}: cls {cls:.3f} disc {disc:.3f}")


if __name__ == "__main__":
    main()
