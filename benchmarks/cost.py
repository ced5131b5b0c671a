"""What a check costs, side by side with `ast.parse` and pyflakes on the same text in one run.

usage: python -m benchmarks.cost

Figures are CPU time of this process, the least of several runs, and the ratio to `ast.parse` of the same text: ratios
hold where absolute times drift. Peak memory is that of a fresh process that checks one file.
"""

from __future__ import annotations

import ast
import io
import resource
import statistics
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from time import process_time

from pyflakes.api import check as pyflakes_check
from pyflakes.reporter import Reporter
from secondpass import check_text

PROGRAMS = Path(__file__).parent.parent / "tests" / "programs" / "reports"
"""Programs re-created from public reports, wrong and right."""


def least(work: Callable[[], object], runs: int) -> float:
    """CPU seconds of the fastest of so many runs."""
    best = float("inf")
    for _ in range(runs):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def ratios(text: str, runs: int = 7) -> tuple[float, float, float]:
    """Milliseconds of `ast.parse`, and how many times that a check and pyflakes take."""
    parse = least(lambda: ast.parse(text), runs)
    check = least(lambda: check_text(text, "program.py"), runs)
    quiet = Reporter(io.StringIO(), io.StringIO())
    flakes = least(lambda: pyflakes_check(text, "program.py", quiet), runs)
    return parse * 1000, check / parse, flakes / parse


def long_script(lines: int, programs: list[str]) -> str:
    """A training script of about so many lines: programs in turn, each in a function that the script calls."""
    parts: list[str] = []
    total = 0
    while total < lines:
        text = programs[len(parts) % len(programs)]
        name = f"run_{len(parts)}"
        body = textwrap.indent(text, "    ")
        parts.append(f"def {name}():\n{body}\n\n{name}()\n")
        total += parts[-1].count("\n")
    return "\n".join(parts)


def peak_memory(text: str) -> float:
    """Megabytes of a fresh process that checks this text."""
    code = "import sys; from secondpass import check_text; check_text(sys.stdin.read(), 'program.py')"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    subprocess.run([sys.executable, "-c", code], input=text, text=True, check=True)
    return max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def main() -> None:
    programs = [p.read_text(encoding="utf-8") for p in sorted(PROGRAMS.glob("*.py"))]
    for text in programs:
        check_text(text, "program.py")
    rows = [ratios(text) for text in programs]
    print(f"{len(rows)} programs, median   ast.parse {statistics.median(r[0] for r in rows):.2f} ms")
    print(f"  check    {statistics.median(r[1] for r in rows):5.1f} x   worst {max(r[1] for r in rows):.1f} x")
    print(f"  pyflakes {statistics.median(r[2] for r in rows):5.1f} x   worst {max(r[2] for r in rows):.1f} x")
    right = [t for t in programs if "# raises" not in t and "# judge: growth" not in t]
    text = long_script(1000, right)
    parse, check, flakes = ratios(text, 5)
    print(f"{text.count(chr(10))}-line script: check {check:.1f} x, pyflakes {flakes:.1f} x ({parse * check:.1f} ms)")
    print(f"  peak memory {peak_memory(text):.0f} MB")
    few = right[:2]
    small, large = (least(lambda n=n: check_text(long_script(n, few), "program.py"), 5) for n in (110, 1100))
    print(f"growth from 110 to 1,100 lines of the same programs: {large / small:.1f} x")
    other = Path(ast.__file__).read_text(encoding="utf-8")
    print(f"a file without torch ({other.count(chr(10))} lines): check {ratios(other)[1]:.2f} x")


if __name__ == "__main__":
    main()
