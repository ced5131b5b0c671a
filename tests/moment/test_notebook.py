"""`%load_ext secondpass` in a real IPython, with cells that are on no disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("IPython")

SHELL = """\
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
for cell in json.load(sys.stdin):
    print(f"=== {shell.execution_count}", flush=True)
    shell.run_cell(cell, store_history=True)
"""
MADE = "import torch\nrnn = torch.nn.RNN(3, 5)\nhidden = torch.zeros(1, 1, 5)"
LOOP = """\
for step in range(3):
    output, hidden = rnn(torch.randn(7, 1, 3), hidden)
    output.sum().backward()"""


def session(folder: Path, *cells: str) -> list[str]:
    """What a shell printed for each cell."""
    environment = {"IPYTHONDIR": str(folder), "PATH": "", "HOME": str(folder)}
    ended = subprocess.run(
        [sys.executable, "-c", SHELL],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split("=== ")[1:]


@pytest.mark.parametrize("before", ["", "\n\n", "%%time\n", "# a cell\n"], ids=["plain", "blank", "timed", "comment"])
def test_a_loop_over_cells(before: str, tmp_path: Path) -> None:
    told = session(tmp_path, "%load_ext secondpass", MADE, before + LOOP)[2]
    assert told.index("RuntimeError: Trying to backward") < told.index("secondpass: why this was raised")
    assert "error[SP101]: `hidden` carries" in told
    assert "session.ipynb:cell 3:" in told and "hidden = hidden.detach()" in told


def test_a_cell_that_is_run_again(tmp_path: Path) -> None:
    made = "import torch\nx = torch.ones(2, requires_grad=True)\nloss = (x * x).sum()"
    told = session(tmp_path, "%load_ext secondpass", made, "loss.backward()", "loss.backward()")
    assert "secondpass" not in told[2]
    assert "[SP102]: " in told[3] and "session.ipynb:cell 4:1" in told[3]


def test_cells_that_failed_before_do_not_hide_it(tmp_path: Path) -> None:
    told = session(tmp_path, "%load_ext secondpass", MADE, "undefined_name", LOOP, MADE, "pass\n" + LOOP)
    assert "secondpass" not in told[2]
    assert "cell 4:" in told[3] and "[SP101]: " in told[3]
    assert "cell 6:" in told[5] and "[SP101]: " in told[5]


def test_nothing_after_it_is_unloaded(tmp_path: Path) -> None:
    told = session(tmp_path, "%load_ext secondpass", MADE, "%unload_ext secondpass", LOOP)
    assert "RuntimeError: Trying to backward" in told[3] and "secondpass" not in told[3]
