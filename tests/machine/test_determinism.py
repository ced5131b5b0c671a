"""The same bytes for the same text: whatever the hash seed, what lies in memory, the order of files and the jobs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).parent.parent / "programs"
CHECK = """
import json, random, sys
from pathlib import Path
from secondpass import check_text

mess, rubbish, told = random.Random(int(sys.argv[1])), [], {}
files = sys.argv[2:]
mess.shuffle(files)
for name in files:
    rubbish.append([bytearray(mess.randrange(1, 600)) for _ in range(mess.randrange(1, 400))])
    if mess.random() < 0.4:
        del rubbish[mess.randrange(len(rubbish))]
    told[name] = repr(check_text(Path(name).read_text(encoding="utf-8"), name).findings)
print(json.dumps(told, sort_keys=True))
"""


def said(seed: int, command: list[str], cwd: Path | None = None) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, capture_output=True, env=environment, cwd=cwd).stdout


def test_memory_hash_seeds_and_order_change_nothing() -> None:
    every = sorted(map(str, PROGRAMS.rglob("*.py")))
    chosen = every[:: max(1, len(every) // 200)]
    first, *others = [said(seed, [sys.executable, "-c", CHECK, str(seed), *chosen]) for seed in (1, 2, 3)]
    assert len(chosen) >= 200 and first.startswith(b"{")
    assert all(other == first for other in others)


def test_jobs_change_nothing(tmp_path: Path) -> None:
    for number, file in enumerate(sorted(PROGRAMS.rglob("*.py"))[:80]):
        (tmp_path / f"program_{number}.py").write_bytes(file.read_bytes())
    check = [sys.executable, "-m", "secondpass", "check", "--no-cache", "--output-format", "json", ".", "--jobs"]
    one, two = (said(number, [*check, str(number)], tmp_path) for number in (1, 2))
    assert one == two and b'"findings"' in one
