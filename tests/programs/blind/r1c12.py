# judge: verdict only
# transposed view of the embedding table kept from the constructor for weight tying
import torch
import torch.nn as nn
import torch.nn.functional as F


class TiedTagger(nn.Module):
    def __init__(self, vocab=24, dim=10, max_len=16):
        super().__init__()
        self.emb = nn.Parameter(torch.randn(vocab, dim) * 0.1)
        self.pos = nn.Parameter(torch.zeros(max_len, dim))
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.proj = self.emb.t()
        self.pos_view = self.pos.unsqueeze(0)

    def forward(self, ids):
        x = self.emb[ids] + self.pos_view[:, :ids.size(1)]
        h = torch.tanh(self.mix(x.transpose(1, 2))).transpose(1, 2)
        return h @ self.proj


def corrupt(ids, p, vocab):
    mask = torch.rand(ids.shape) < p
    noise = torch.randint(0, vocab, ids.shape)
    return torch.where(mask, noise, ids), mask


def batches(n, bs=8, length=12, vocab=24):
    for _ in range(n):
        start = torch.randint(0, vocab, (bs, 1))
        yield (start + torch.arange(length)) % vocab


def main():
    torch.manual_seed(6)
    model = TiedTagger()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    for step, ids in enumerate(batches(40)):
        noisy, mask = corrupt(ids, 0.2, 24)
        logits = model(noisy)
        loss = F.cross_entropy(logits[mask], ids[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"{step:3d} {loss.item():.4f}")


if __name__ == "__main__":
    main()
