# judge: growth
# streaming readout: hidden state carried through the stream with retain_graph
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def sensor_stream(n_windows, window, rng):
    t = 0
    for _ in range(n_windows):
        ts = np.arange(t, t + window)
        clean = np.sin(ts * 0.2) + 0.5 * np.sin(ts * 0.053)
        noisy = clean + 0.2 * rng.normal(size=window)
        t += window
        yield (torch.tensor(noisy, dtype=torch.float32).view(window, 1, 1),
               torch.tensor(clean, dtype=torch.float32).view(window, 1, 1))


class Reservoir(nn.Module):
    """Recurrent feature extractor, kept as initialised."""

    def __init__(self, units, leak=0.7):
        super().__init__()
        self.cell = nn.GRUCell(1, units)
        self.leak = leak
        with torch.no_grad():
            w = self.cell.weight_hh
            w.mul_(0.9 / torch.linalg.matrix_norm(w, 2))

    def forward(self, x, h):
        outs = []
        for xt in x:
            h = (1 - self.leak) * h + self.leak * self.cell(xt, h)
            outs.append(h)
        return torch.stack(outs), h


class Denoiser(nn.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.reservoir = Reservoir(units)
        self.readout = nn.Sequential(nn.Linear(units, units), nn.Tanh(), nn.Linear(units, 1))

    def forward(self, x, state=None):
        if state is None:
            state = torch.zeros(x.size(1), self.units)
        feats, state = self.reservoir(x, state)
        return self.readout(feats), state


def evaluate(model, stream):
    model.eval()
    state, err = None, []
    with torch.no_grad():
        for x, y in stream:
            pred, state = model(x, state)
            err.append(F.mse_loss(pred, y).item())
    model.train()
    return float(np.mean(err))


def main():
    ap = argparse.ArgumentParser(description="online denoising")
    ap.add_argument("--windows", type=int, default=24)
    ap.add_argument("--window", type=int, default=6)
    ap.add_argument("--units", type=int, default=12)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--eval-every", type=int, default=8)
    args = ap.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    model = Denoiser(args.units)
    opt = torch.optim.Adam(model.readout.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.98)
    state, track = None, 0.0
    for k, (x, y) in enumerate(sensor_stream(args.windows, args.window, rng)):
        pred, state = model(x, state)
        loss = F.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        sched.step()
        track = 0.9 * track + 0.1 * loss.item()
        if (k + 1) % args.eval_every == 0:
            print(f"window {k + 1} train {track:.4f} eval {evaluate(model, sensor_stream(5, args.window, rng)):.4f}")


if __name__ == "__main__":
    main()
