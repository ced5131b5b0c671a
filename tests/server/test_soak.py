"""A short run of the soak (benchmarks/soak.py has the long one, and runs it with the real analysis too)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_random_edits_requests_and_cancellations_leave_nothing_stale() -> None:
    command = [sys.executable, "-m", "benchmarks.soak", "--fake", "--edits", "1500", "--seed", "7"]
    ran = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " 0 failures" in ran.stdout
