"""What recording costs: training steps traced and untraced, side by side, in steady state.

    python benchmarks/trace_overhead.py [--blocks 60]

Of each workload two processes run, one traced and one not, on one thread each, and take turns: a block of ten steps in
the one, then a block in the other, so that both meet the same machine. A step's cost is processor time, a block's the
median of its steps; the ratio is the median over the pairs of blocks, with the middle half of them beside it. The first
sixth of the blocks is left out, and the default bound on backward calls is lifted, so this is what a long run pays.
Memory is the peak of each process.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RECORDER = Path(__file__).parents[1] / "analysis/secondpass/trace/recorder.py"
BLOCK = 10

HEAD = """
import json, resource, statistics, sys, time
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
torch.set_num_threads(1)
BLOCK, STEPS = map(int, sys.argv[1:])
times = []
"""

TAIL = """
    times.append(time.process_time() - began)
    if len(times) == BLOCK:
        print(json.dumps([statistics.median(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]), flush=True)
        times.clear()
        sys.stdin.readline()
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


class Side:
    """One process, traced or not."""

    def __init__(self, script: Path, steps: int, traced: bool) -> None:
        recorder = [str(RECORDER), "--out", str(script.with_suffix(".json")), "--turns", "0", "--seconds", "0"]
        command = [sys.executable, *(recorder if traced else []), str(script), str(BLOCK), str(steps)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)
        self.peak = 0.0
        self.block()

    def block(self) -> float:
        """Milliseconds of a step in the block that has just run; `go` starts the next."""
        assert self.process.stdout is not None
        seconds, peak = json.loads(self.process.stdout.readline())
        self.peak = peak / 1024
        return float(seconds) * 1000

    def go(self) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.block()

    def end(self) -> None:
        self.process.communicate("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=60)
    options = parser.parse_args()
    columns = ("untraced ms", "traced ms", "ratio", "middle half", "MB", "MB traced")
    print(f"{'workload':<24}" + "".join(f"{column:>14}" for column in columns))
    with tempfile.TemporaryDirectory() as folder:
        for name, body in WORKLOADS.items():
            script = Path(folder, "workload.py")
            script.write_text(HEAD + body.rstrip("\n") + TAIL)
            sides = [Side(script, BLOCK * (options.blocks + 1), traced) for traced in (False, True)]
            pairs = []
            for index in range(options.blocks):
                order = (0, 1) if index % 2 else (1, 0)
                took = {side: sides[side].go() for side in order}
                pairs.append((took[0], took[1]))
            for side in sides:
                side.end()
            kept = pairs[options.blocks // 6 :]
            ratios = statistics.quantiles((traced / plain for plain, traced in kept), n=4)
            plain, traced = (statistics.median(pair[side] for pair in kept) for side in (0, 1))
            cells = [f"{plain:.3f}", f"{traced:.3f}", f"{ratios[1]:.3f}", f"{ratios[0]:.3f}-{ratios[2]:.3f}"]
            cells += [f"{side.peak:.0f}" for side in sides]
            print(f"{name:<24}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
