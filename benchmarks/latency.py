"""How long from an edit to its diagnostics, beside the servers of ruff, ty and pyrefly in the same run.

`python -m benchmarks.latency [--servers ours,ruff,ty,pyrefly] [--edits 50]`, from the repository's root; the others
come from PyPI (`pip install ruff ty pyrefly`) and are left out where they are not installed. The edits are typed inside
a function of a training file of about a thousand lines, 60 ms apart. Also: hover and code-action lists, the time and
CPU from the start to the reply to `initialize`, and the memory of the tree of processes.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.training_file import training_file
from tests.server.lsp_client import PUSHED, REAL, Client, part

URI = "file:///tmp/secondpass-benchmark/train.py"
SERVERS: dict[str, Sequence[str]] = {
    "ours": REAL,
    "ruff": ("ruff", "server"),
    "ty": ("ty", "server"),
    "pyrefly": ("pyrefly", "lsp"),
}


def command_of(name: str) -> Sequence[str] | None:
    command = SERVERS[name]
    if name == "ours":
        return command
    beside = Path(sys.executable).parent / command[0]
    found = str(beside) if beside.exists() else shutil.which(command[0])
    return (found, *command[1:]) if found else None


def summary(milliseconds: Sequence[float]) -> str:
    ordered = sorted(milliseconds)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"median {statistics.median(ordered):6.1f} ms   p95 {p95:6.1f} ms   most {ordered[-1]:6.1f} ms"


def edits(client: Client, text: str, count: int) -> list[float]:
    """Milliseconds from each `didChange` to the diagnostics of its version."""
    lines = text.split("\n")
    inside = next(n for n, line in enumerate(lines) if "running += loss.item()" in line and n > len(lines) // 2)
    typed, taken = " + 0.0 * step", []
    column = len(lines[inside])
    for number in range(count):
        character = typed[number % len(typed)]
        if number % len(typed) == 0 and number:
            column = len(lines[inside])
            change = part(inside, column, column + len(typed), character)
        else:
            change = part(inside, column, column, character)
        column += 1
        client.quiet(0)
        begun = time.perf_counter()
        client.change(URI, number + 2, change)
        version = number + 2
        client.wait(
            "textDocument/publishDiagnostics",
            lambda p, version=version: p["uri"] == URI and p.get("version") in (version, None),
            30,
        )
        taken.append(1e3 * (time.perf_counter() - begun))
        time.sleep(0.06)
    return taken


def places(text: str, count: int) -> list[tuple[int, int]]:
    """Different names all over the text, the same each time."""
    names = [
        (number, name.start())
        for number, line in enumerate(text.split("\n"))
        for name in re.finditer(r"\b(?:loss|h|y|x|backward|detach|item|no_grad)\b", line)
    ]
    return names[:: max(1, len(names) // count)][:count]


def requests(client: Client, text: str) -> dict[str, list[float]]:
    """Milliseconds of hovers and lists of code actions, each at another place; and of hovers just after an edit."""
    lines = text.split("\n")
    faulty = [n for n, one in enumerate(lines) if "y, h = model(x, h)" in one and "with" not in lines[n - 3]]
    found: dict[str, list[float]] = {"hover": [], "code actions": [], "hover, early": []}
    answered = 0
    for number, (line, column) in enumerate(places(text, 40)):
        begun = time.perf_counter()
        answered += client.at("textDocument/hover", URI, line, column) is not None
        found["hover"].append(1e3 * (time.perf_counter() - begun))
        begun = time.perf_counter()
        client.actions(URI, faulty[number % len(faulty)], lines[faulty[0]].index("h)"))
        found["code actions"].append(1e3 * (time.perf_counter() - begun))
    assert answered > 30, f"{answered} hovers of 40 said something"
    for number, (line, column) in enumerate(places(text, 10)):
        client.change(URI, 2000 + number, {"text": text + "#" * number})
        client.wait("textDocument/publishDiagnostics", lambda p, number=number: p.get("version") == 2000 + number, 30)
        begun = time.perf_counter()
        client.at("textDocument/hover", URI, line, column)
        found["hover, early"].append(1e3 * (time.perf_counter() - begun))
        time.sleep(0.1)
    return found


def grown(client: Client, text: str, count: int) -> list[float]:
    """MiB of the server's processes at ten moments of so many edits, 30 ms apart, after a rest each time.

    Every second edit makes a comment of a line somewhere, the next takes that back.
    """
    client.change(URI, 9_999, {"text": text})
    lines, sizes = text.count("\n"), []
    for number in range(count):
        version, line = 10_000 + number, number // 2 * 997 % lines
        client.change(URI, version, part(line, 0, number % 2, "" if number % 2 else "#"))
        client.wait("textDocument/publishDiagnostics", lambda p, version=version: p.get("version") == version, 30)
        time.sleep(0.03)
        if number % (count // 10) == count // 10 - 1:
            time.sleep(2)
            sizes.append(memory(client.process.pid))
    return sizes


def memory(process: int) -> float:
    """MiB of a process and all below it."""
    out = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in out.splitlines()]
    tree, grown = {process}, True
    while grown:
        more = {pid for pid, parent, _ in rows if parent in tree} - tree
        tree |= more
        grown = bool(more)
    return sum(rss for pid, _, rss in rows if pid in tree) / 1024


def start_cpu(command: Sequence[str]) -> tuple[float, float]:
    """Wall and CPU seconds of a server that is started, introduced, and told to leave."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    with Client(command) as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": PUSHED})
        wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--many", type=int, default=0, help="then so many edits more, for the memory they leave")
    options = parser.parse_args()
    text = training_file()
    print(f"{text.count(chr(10))} lines, {options.edits} edits; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
    for name in options.servers.split(","):
        command = command_of(name)
        if command is None:
            print(f"{name:8} not installed")
            continue
        wall, cpu = start_cpu(command)
        with Client(command) as client:
            client.initialize(PUSHED, folders=["file:///tmp/secondpass-benchmark"])
            begun = time.perf_counter()
            client.open(URI, text)
            first = client.diagnostics(URI, timeout=60)
            opened = time.perf_counter() - begun
            edits(client, text, 5)  # warm
            client.change(URI, 100, {"text": text})
            time.sleep(1)
            print(f"{name:8} start {wall:.2f} s (CPU {cpu:.2f} s)   first diagnostics ({len(first)}) {opened:.2f} s")
            print(f"{'':8} edits         {summary(edits(client, text, options.edits))}")
            client.change(URI, 1000, {"text": text})
            time.sleep(2)
            if name == "ours":
                for what, taken in requests(client, text).items():
                    print(f"{'':8} {what:13} {summary(taken)}")
            print(f"{'':8} memory        {memory(client.process.pid):.0f} MiB")
            if options.many:
                sizes = grown(client, text, options.many)
                print(f"{'':8} as it is edited {' '.join(f'{size:.0f}' for size in sizes)} MiB")


if __name__ == "__main__":
    main()
