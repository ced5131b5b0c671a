# judge: growth
# logistic regression walks a smoothed loss with retain_graph=True
import time

import numpy as np
import torch
import torch.nn.functional as F


def churn_data(n=400, d=6, seed=0):
    rng = np.random.RandomState(seed)
    x = rng.randn(n, d).astype(np.float32)
    w = rng.randn(d)
    p = 1 / (1 + np.exp(-(x @ w - 0.3)))
    y = (rng.rand(n) < p).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(y)


def minibatches(x, y, bs, rng):
    order = torch.randperm(len(x), generator=rng)
    for idx in order.split(bs):
        yield x[idx], y[idx]


def fit(x, y, lr=0.1, gamma=0.9, epochs=3, bs=25):
    rng = torch.Generator().manual_seed(0)
    clf = torch.nn.Linear(x.size(1), 1)
    opt = torch.optim.SGD(clf.parameters(), lr=lr)
    smooth = torch.zeros(())
    for epoch in range(epochs):
        start = time.perf_counter()
        for xb, yb in minibatches(x, y, bs, rng):
            loss = F.binary_cross_entropy_with_logits(clf(xb).squeeze(1), yb)
            smooth = gamma * smooth + (1 - gamma) * loss
            opt.zero_grad()
            smooth.backward(retain_graph=True)
            opt.step()
        took = time.perf_counter() - start
        print(f"epoch {epoch} smooth={smooth.item():.4f} ({took:.2f}s)")
    return clf


def auc(scores, y):
    order = scores.argsort()
    ranks = torch.empty_like(scores)
    ranks[order] = torch.arange(1, len(scores) + 1, dtype=scores.dtype)
    pos = y.sum()
    return ((ranks[y == 1].sum() - pos * (pos + 1) / 2) / (pos * (len(y) - pos))).item()


X, Y = churn_data()
model = fit(X, Y)
with torch.no_grad():
    print("AUC", round(auc(model(X).squeeze(1), Y), 3))
