"""What a check of a whole repository costs, beside `ast.parse` of the same files.

usage: python -m benchmarks.repository FOLDER [FOLDER ...]

Each check is a process of its own with an empty cache, then once more with what that left there. CPU time counts all of
a process, its start too; the least of `RUNS` is told. Wall time is told for one process and for two.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

from secondpass.project.files import find
from secondpass.source.decode import decode, read_bytes
from secondpass.source.errors import SourceError

RUNS = 2


def parse(folder: Path) -> tuple[int, int, float]:
    """Files, lines, and the CPU seconds of `ast.parse` over them."""
    warnings.simplefilter("ignore")
    texts = []
    for file in find([folder]).files:
        if file.suffix != ".ipynb":
            try:
                texts.append(decode(read_bytes(file), str(file))[0])
            except SourceError:
                continue
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        for text in texts:
            try:
                ast.parse(text)
            except (SyntaxError, ValueError):
                continue
        best = min(best, time.process_time() - start)
    return len(texts), sum(text.count("\n") for text in texts), best


def check(folder: Path, cache: str, *options: str) -> tuple[float, float, float]:
    """CPU seconds, wall seconds and peak megabytes of one check."""
    program = f"import sys; from secondpass.cli.main import main; sys.exit(main(['check', '.', *{list(options)!r}]))"
    start = time.monotonic()
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss / 1024


def main() -> None:
    warnings.simplefilter("ignore")
    plain = ("--output-format", "concise")
    print(f"{'repository':40} {'files':>5} {'lines':>7} {'parse':>6} {'cold':>6} {'x':>5} {'warm':>5} {'x':>5}", end="")
    print(f" {'2 cores / 1':>11} {'MB':>4}")
    for name in sys.argv[1:]:
        folder = Path(name)
        files, lines, parsing = parse(folder)
        cold, warm, one, two, memory = [], [], [], [], 0.0
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as cache:
                cpu, wall, peak = check(folder, cache, "--jobs", "1", *plain)
                cold.append(cpu)
                one.append(wall)
                memory = max(memory, peak)
                warm.append(check(folder, cache, "--jobs", "1", *plain)[0])
            two.append(check(folder, cache, "--no-cache", "--jobs", "2", *plain)[1])
        print(
            f"{folder.name[:40]:40} {files:5} {lines:7} {parsing:6.2f} {min(cold):6.2f} {min(cold) / parsing:5.1f}",
            end="",
        )
        print(f" {min(warm):5.2f} {min(warm) / parsing:5.2f} {min(two) / min(one):11.2f} {memory:4.0f}", flush=True)


if __name__ == "__main__":
    main()
