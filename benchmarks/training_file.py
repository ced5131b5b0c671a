"""A training file of about a thousand lines, the same each time: models and training loops, some of them wrong."""

from __future__ import annotations

PIECE = '''
class Model{n}(nn.Module):
    """A recurrent model with a head; number {n}."""

    def __init__(self, size: int = {size}) -> None:
        super().__init__()
        self.cell = nn.GRUCell(size, size)
        self.norm = nn.LayerNorm(size)
        self.head = nn.Linear(size, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, h: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        h = self.cell(x, h)
        y = self.drop(self.norm(h))
        if y.mean() > 0:
            y = torch.relu(y) * 0.5
        return self.head(y), h


def evaluate{n}(model: Model{n}, batches: list[torch.Tensor]) -> float:
    total = 0.0
    with torch.no_grad():
        h = torch.zeros(1, {size})
        for x in batches:
            y, h = model(x, h)
            total += y.pow(2).mean().item()
    return total / max(len(batches), 1)


def train{n}(epochs: int = 2) -> float:
    model = Model{n}()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    batches = [torch.randn(1, {size}) for _ in range(4)]
    running = 0.0
    for epoch in range(epochs):
        h = torch.zeros(1, {size})
        for step, x in enumerate(batches):
            optimizer.zero_grad()
            y, h = model(x, h)
            loss = y.pow(2).mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item()
{cut}
    return evaluate{n}(model, batches) + running
'''


def training_file(pieces: int = 21, wrong: tuple[int, ...] = (3, 11)) -> str:
    """The text; the training loops numbered in `wrong` carry their state uncut."""
    parts = ["import torch\nfrom torch import nn\n"]
    for n in range(pieces):
        cut = "            pass" if n in wrong else "            h = h.detach()"
        parts.append(PIECE.format(n=n, size=8 + n, cut=cut))
    calls = "\n".join(f"    print(train{n}())" for n in range(pieces))
    return "\n".join(parts) + f"\n\nif __name__ == '__main__':\n{calls}\n"
