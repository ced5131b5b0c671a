"""What recording costs: training steps traced and untraced, side by side, in steady state.

    python benchmarks/trace_overhead.py [--repetitions 6] [--steps 400]

Each workload runs in fresh processes, in turn untraced and traced, on one thread. A step's cost is processor time; of a
run the tenth percentile of the steps after the first fifth counts (what other processes disturb is above it), of a
workload the smallest over the repetitions. The default bound on backward calls is lifted, so the steady state is what
a long run would pay. Memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

RECORDER = Path(__file__).parents[1] / "analysis/secondpass/trace/recorder.py"

HEAD = """
import json, resource, sys, time
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
torch.set_num_threads(1)
STEPS = int(sys.argv[1])
times = []
"""

TAIL = """
    times.append(time.process_time() - began)
kept = sorted(times[len(times) // 5:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([kept[len(kept) // 10], peak]))
"""

WORKLOADS = {
    "LSTM cell loop": """
cell, head = nn.LSTMCell(32, 64), nn.Linear(64, 8)
optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)
data, target = torch.randn(20, 16, 32), torch.randint(0, 8, (16,))
for step in range(STEPS):
    began = time.process_time()
    h, c = torch.zeros(16, 64), torch.zeros(16, 64)
    for x in data:
        h, c = cell(x, (h, c))
    loss = F.cross_entropy(head(h), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "small CNN": """
class Block(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.conv = nn.Conv2d(n_in, n_out, 3, padding=1)
        self.norm = nn.BatchNorm2d(n_out)
    def forward(self, x):
        x = self.norm(self.conv(x))
        return F.max_pool2d(torch.relu(x), 2)
net = nn.Sequential(Block(3, 16), Block(16, 32), nn.Flatten(), nn.Linear(32 * 16, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
images, target = torch.randn(8, 3, 16, 16), torch.randint(0, 10, (8,))
for step in range(STEPS):
    began = time.process_time()
    loss = F.cross_entropy(net(images), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "small transformer": """
class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.a, self.b = nn.LayerNorm(width), nn.LayerNorm(width)
    def attend(self, x):
        n, t, d = x.shape
        q, k, v = self.qkv(x).view(n, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(n, t, d))
    def forward(self, x):
        x = x + self.attend(self.a(x))
        return x + self.down(F.gelu(self.up(self.b(x))))
embed = nn.Embedding(50, 64)
net = nn.Sequential(*[Layer(64, 4) for _ in range(3)], nn.Linear(64, 50))
optimizer = torch.optim.SGD([*embed.parameters(), *net.parameters()], lr=0.01)
tokens = torch.randint(0, 50, (4, 33))
for step in range(STEPS):
    began = time.process_time()
    logits = net(embed(tokens[:, :-1]))
    loss = F.cross_entropy(logits.reshape(-1, 50), tokens[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "many small operations": """
w = nn.Parameter(torch.randn(16) * 0.1)
b = nn.Parameter(torch.zeros(16))
optimizer = torch.optim.SGD([w, b], lr=0.01)
def cell(h, x):
    z = torch.sigmoid(h * w + x)
    r = torch.tanh(h * b - x)
    m = z * h
    n = (1 - z) * r
    h = m + n
    return h
x = torch.randn(16)
for step in range(STEPS):
    began = time.process_time()
    h = torch.zeros(16)
    for t in range(100):
        h = cell(h, x)
    loss = h.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
}


def measure(script: Path, steps: int, traced: bool) -> tuple[float, float]:
    """Milliseconds of processor time a step, and the peak of memory in MB."""
    recorder = [str(RECORDER), "--out", str(script.with_suffix(".json")), "--turns", "0", "--seconds", "0"]
    command = [sys.executable, *(recorder if traced else []), str(script), str(steps)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    seconds, peak = json.loads(run.stdout.splitlines()[-1])
    return seconds * 1000, peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=6)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    print(f"{'workload':<24}{'untraced ms':>12}{'traced ms':>12}{'ratio':>8}{'MB':>8}{'MB traced':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for name, body in WORKLOADS.items():
            script = Path(folder, "workload.py")
            script.write_text(HEAD + body.rstrip("\n") + TAIL)
            runs: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
            for _ in range(options.repetitions):
                for traced in (False, True):
                    runs[traced].append(measure(script, options.steps, traced))
            plain, recorded = (min(t for t, _ in runs[traced]) for traced in (False, True))
            peaks = [max(peak for _, peak in runs[traced]) for traced in (False, True)]
            row = f"{name:<24}{plain:>12.3f}{recorded:>12.3f}{recorded / plain:>8.3f}"
            print(f"{row}{peaks[0]:>8.0f}{peaks[1]:>11.0f}", flush=True)


if __name__ == "__main__":
    main()
