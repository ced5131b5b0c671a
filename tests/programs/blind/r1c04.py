# judge: verdict only
# truncated BPTT with a recursive detach helper over nested state
import torch
import torch.nn as nn


def detach_state(s):
    if s is None:
        return None
    if isinstance(s, torch.Tensor):
        return s.detach()
    if isinstance(s, dict):
        return {k: detach_state(v) for k, v in s.items()}
    return type(s)(detach_state(v) for v in s)


class TwoStream(nn.Module):
    def __init__(self, vocab=20, d=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.slow = nn.LSTM(d, d, batch_first=True)
        self.fast = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(2 * d, vocab)

    def forward(self, ids, state=None):
        state = state or {"slow": None, "fast": None}
        e = self.emb(ids)
        a, hs = self.slow(e, state["slow"])
        b, hf = self.fast(e, state["fast"])
        return self.out(torch.cat([a, b], -1)), {"slow": hs, "fast": hf}


def text_stream(bs=4, n=97, vocab=20):
    g = torch.Generator().manual_seed(2)
    return torch.randint(0, vocab, (bs, n), generator=g)


def main(bptt=12, epochs=2):
    torch.manual_seed(0)
    model = TwoStream()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ids = text_stream()
    for epoch in range(epochs):
        state, total, n = None, 0.0, 0
        for s in range(0, ids.size(1) - 1, bptt):
            x, y = ids[:, s:s + bptt], ids[:, s + 1:s + bptt + 1]
            logits, state = model(x[:, :y.size(1)], state)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            state = detach_state(state)
            total, n = total + loss.item(), n + 1
        print(f"epoch {epoch}: {total / n:.3f}")


if __name__ == "__main__":
    main()
