# judge: verdict only
# generator encodes the recording once and yields chunks, each walked on its own
import torch
from torch import nn


class Frontend(nn.Module):
    def __init__(self, hop=4, ch=12):
        super().__init__()
        self.conv = nn.Conv1d(1, ch, kernel_size=2 * hop, stride=hop, padding=hop // 2)
        self.norm = nn.LayerNorm(ch)

    def forward(self, wave):
        y = torch.relu(self.conv(wave.unsqueeze(1)))
        return self.norm(y.transpose(1, 2))


class PitchHead(nn.Module):
    def __init__(self, ch=12, bins=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(ch, 24), nn.GELU(), nn.Linear(24, bins))

    def forward(self, f):
        return self.net(f)


def recordings(n, length=160, hop=4, bins=10):
    for _ in range(n):
        wave = torch.randn(2, length).cumsum(1) * 0.1
        labels = torch.randint(0, bins, (2, length // hop))
        yield wave, labels


def chunks(frontend, wave, targets, size):
    feats = frontend(wave)
    for s in range(0, targets.size(1), size):
        yield feats[:, s:s + size], targets[:, s:s + size]


class Session:
    def __init__(self, chunk=10):
        self.front, self.head = Frontend(), PitchHead()
        self.params = list(self.front.parameters()) + list(self.head.parameters())
        self.opt = torch.optim.Adam(self.params, lr=1e-3)
        self.ce = nn.CrossEntropyLoss()
        self.chunk = chunk

    def one_recording(self, wave, labels):
        self.opt.zero_grad()
        total = 0.0
        for f, y in chunks(self.front, wave, labels, self.chunk):
            logits = self.head(f)
            loss = self.ce(logits.flatten(0, 1), y.flatten())
            loss.backward()  # raises
            total += loss.item()
        nn.utils.clip_grad_norm_(self.params, 1.0)
        self.opt.step()
        return total


if __name__ == "__main__":
    torch.manual_seed(0)
    session = Session()
    for i, (wave, labels) in enumerate(recordings(8)):
        print(f"recording {i}: {session.one_recording(wave, labels):.3f}")
