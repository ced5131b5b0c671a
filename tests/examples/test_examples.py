"""The README's programs: PyTorch raises in three and runs their right twins, and the check says the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from secondpass.cli.main import main

ROOT = Path(__file__).parents[2]
# program: rule, line on which PyTorch raises, iteration
RAISING = {"twice": ("SP105", 23, 1), "carried": ("SP101", 16, 2), "accumulated": ("SP104", 15, 2)}

UNDER_TORCH = """
import json, runpy, sys, traceback
import torch
out = {}
for path in sys.argv[1:]:
    try:
        runpy.run_path(path)
    except RuntimeError as error:
        assert "backward through the graph a second time" in str(error), error
        out[path] = max(f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path)
    else:
        out[path] = None
print(json.dumps(out))
"""


def test_pytorch_raises_in_three_and_runs_their_twins() -> None:
    files = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "examples").glob("*.py"))
    assert len(files) == 6
    ended = subprocess.run(
        [sys.executable, "-c", UNDER_TORCH, *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        **{f"examples/{name}.py": line for name, (_, line, _) in RAISING.items()},
        **{f"examples/{name}_right.py": None for name in RAISING},
    }


def test_the_check_agrees(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["check", "examples", "--output-format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    told = {
        finding["path"]: (finding["rule"], finding["raises_at"]["line"], finding["raises_at"]["turn"])
        for finding in report["findings"]
    }
    assert told == {f"examples/{name}.py": expected for name, expected in RAISING.items()}
    assert report["files"] == 6 and report["errors"] == []
