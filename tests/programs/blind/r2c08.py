# judge: verdict only
# temporal graph memory: detach covers the memory, not the stored raw messages
import argparse
import logging
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn

logger = logging.getLogger("tgn")
logging.basicConfig(level=logging.INFO, format="%(message)s")


class Memory:
    def __init__(self, n_nodes, dim):
        self.n_nodes, self.dim = n_nodes, dim
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.n_nodes, self.dim)
        self.messages = defaultdict(list)

    def store(self, nodes, msgs):
        for n, m in zip(nodes, msgs):
            self.messages[int(n)].append(m)

    def pop_last(self):
        ids = sorted(self.messages)
        if not ids:
            return None, None
        stacked = torch.stack([self.messages[i][-1] for i in ids])
        self.messages.clear()
        return torch.tensor(ids), stacked

    def detach_memory(self):
        self.state = self.state.detach()


class TGN(nn.Module):
    def __init__(self, n_nodes, feat, dim):
        super().__init__()
        self.memory = Memory(n_nodes, dim)
        self.updater = nn.GRUCell(2 * dim + feat, dim)
        self.embed = nn.Linear(dim, dim)
        self.affinity = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def refresh(self):
        ids, msgs = self.memory.pop_last()
        if ids is None:
            return self.memory.state
        new = self.updater(msgs, self.memory.state[ids])
        return self.memory.state.index_copy(0, ids, new)

    def forward(self, src, dst, neg, feats):
        state = self.refresh()
        self.memory.state = state
        z = torch.tanh(self.embed(state))
        pos = self.affinity(torch.cat([z[src], z[dst]], -1))
        neg_score = self.affinity(torch.cat([z[src], z[neg]], -1))
        raw = torch.cat([state[src], state[dst], feats], -1)
        self.memory.store(src.tolist(), raw)
        self.memory.store(dst.tolist(), torch.cat([state[dst], state[src], feats], -1))
        return pos.squeeze(-1), neg_score.squeeze(-1)


def stream(n_events, n_nodes, feat, bs, rng):
    src = rng.integers(0, n_nodes // 2, n_events)
    dst = rng.integers(n_nodes // 2, n_nodes, n_events)
    ef = rng.normal(size=(n_events, feat)).astype(np.float32)
    for i in range(0, n_events, bs):
        s = slice(i, i + bs)
        yield torch.from_numpy(src[s]), torch.from_numpy(dst[s]), torch.from_numpy(ef[s])


def main():
    parser = argparse.ArgumentParser("self-supervised training")
    parser.add_argument("--bs", type=int, default=20)
    parser.add_argument("--n_epoch", type=int, default=2)
    parser.add_argument("--n_events", type=int, default=160)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--memory_dim", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    n_nodes, feat = 24, 4
    model = TGN(n_nodes, feat, args.memory_dim)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.n_epoch):
        model.memory.reset()
        model.train()
        m_loss = []
        for src, dst, ef in stream(args.n_events, n_nodes, feat, args.bs, rng):
            neg = torch.randint(n_nodes // 2, n_nodes, src.shape)
            optimizer.zero_grad()
            pos, negs = model(src, dst, neg, ef)
            loss = criterion(pos, torch.ones_like(pos)) + criterion(negs, torch.zeros_like(negs))
            loss.backward()  # raises
            optimizer.step()
            m_loss.append(loss.item())
            model.memory.detach_memory()
        logger.info("epoch: %d loss: %.4f", epoch, float(np.mean(m_loss)))


if __name__ == "__main__":
    main()
