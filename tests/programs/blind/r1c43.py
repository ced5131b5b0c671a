# judge: verdict only
# temporal graph network: node memories written back with graph
from typing import Dict, List, Tuple

import torch
from torch import Tensor, nn

Event = Tuple[int, int, float]


class NodeMemory:
    def __init__(self, dim: int):
        self.dim = dim
        self.store: Dict[int, Tensor] = {}

    def read(self, nodes: List[int]) -> Tensor:
        return torch.stack([self.store.get(n, torch.zeros(self.dim)) for n in nodes])

    def write(self, nodes: List[int], new: Tensor) -> None:
        for k, n in enumerate(nodes):
            self.store[n] = new[k]


class TGNLite(nn.Module):
    def __init__(self, dim: int = 8):
        super().__init__()
        self.time = nn.Linear(1, dim)
        self.updater = nn.GRUCell(2 * dim, dim)
        self.link = nn.Bilinear(dim, dim, 1)
        self.memory = NodeMemory(dim)

    def forward(self, events: List[Event]) -> Tuple[Tensor, Tensor]:
        src = [e[0] for e in events]
        dst = [e[1] for e in events]
        t = torch.tensor([[e[2]] for e in events])
        ms, md = self.memory.read(src), self.memory.read(dst)
        phi = torch.cos(self.time(t))
        ms_new = self.updater(torch.cat([md, phi], 1), ms)
        md_new = self.updater(torch.cat([ms, phi], 1), md)
        self.memory.write(src, ms_new)
        self.memory.write(dst, md_new)
        pos = self.link(ms_new, md_new)
        neg = self.link(ms_new, md_new.roll(1, 0))
        return pos, neg


def stream() -> List[List[Event]]:
    return [
        [(0, 10, 0.1), (1, 11, 0.2), (2, 12, 0.3)],
        [(3, 13, 0.5), (4, 14, 0.6)],
        [(5, 15, 0.8), (6, 16, 0.9), (7, 17, 1.0)],
        [(8, 18, 1.1), (1, 19, 1.3)],
        [(9, 10, 1.5), (20, 21, 1.6)],
        [(0, 15, 1.7), (21, 3, 1.8)],
    ]


def main() -> None:
    torch.manual_seed(0)
    model = TGNLite()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    bce = nn.BCEWithLogitsLoss()
    for i, events in enumerate(stream()):
        pos, neg = model(events)
        loss = bce(pos, torch.ones_like(pos)) + bce(neg, torch.zeros_like(neg))
        opt.zero_grad()
        loss.backward()  # raises
        opt.step()
        print(f"batch {i}: {loss.item():.4f} ({len(model.memory.store)} nodes)")


if __name__ == "__main__":
    main()
