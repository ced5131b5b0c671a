"""What imports bring: launchers that never say torch, imports for what they do, `sys.path`, `src`, star imports.

Each project is run under PyTorch for its truth, beside the check of the whole folder.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from secondpass import check_paths

CARRIES = """
import torch
from torch import nn

cell = nn.GRUCell(3, 4)


def train(batches, state{parameters}):
    for x in batches:
        state = cell(x, state)
        state.sum().backward(){ended}
    return state
"""
CALLS = "import torch\n{imports}\ntrain(torch.randn(3, 2, 3), torch.zeros(2, 4))\n"
LAUNCHER = """
from data import batches, start
from work import train

if __name__ == "__main__":
    train(batches(), start())
"""
DATA = """
import torch


def batches():
    return torch.randn(3, 2, 3)


def start():
    return torch.zeros(2, 4)
"""
HOOKED = """
import torch
from torch import nn

import hooks
{imports}
cell, state = nn.GRUCell(3, 4), [torch.zeros(2, 4)]
for x in torch.randn(3, 2, 3):
    state[0] = cell(x, state[0])
    state[0].sum().backward()
    for hook in hooks.AFTER:
        hook(state)
"""
CUTS = """
from hooks import after


@after
def cut(state):
    state[0] = state[0].detach()
"""
REGISTERS = "AFTER = []\n\n\ndef after(hook):\n    AFTER.append(hook)\n    return hook\n"
STAR = "from .work import *\nfrom .paths import *\n"
NAMED = '__all__ = ["train"]\n' + CARRIES.replace("cell", "_cell")

PROJECTS = {
    "a launcher that never says torch": {
        "start.py": LAUNCHER,
        "data.py": DATA,
        "work.py": CARRIES.format(parameters="", ended=""),
    },
    "a launcher of what cuts": {
        "start.py": LAUNCHER,
        "data.py": DATA,
        "work.py": CARRIES.format(parameters="", ended="\n        state = state.detach()"),
    },
    "an import that registers a cut": {
        "start.py": HOOKED.format(imports="import cutting"),
        "hooks.py": REGISTERS,
        "cutting.py": CUTS,
    },
    "the same without that import": {
        "start.py": HOOKED.format(imports=""),
        "hooks.py": REGISTERS,
        "cutting.py": CUTS,
    },
    "src beside a script": {
        "start.py": CALLS.format(imports="import sys\nsys.path.insert(0, 'src')\nfrom crew.work import train"),
        "src/crew/__init__.py": "",
        "src/crew/work.py": CARRIES.format(parameters="", ended=""),
    },
    "a folder put on the path": {
        "start.py": CALLS.format(
            imports="import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'lib'))\n"
            "from work import train"
        ),
        "lib/work.py": CARRIES.format(parameters="", ended=""),
    },
    "a star from a part of a package": {
        "start.py": CALLS.format(imports="from crew import train"),
        "crew/__init__.py": STAR,
        "crew/paths.py": "HOME = '.'\n",
        "crew/work.py": "from .helpers import *\n" + CARRIES.format(parameters="", ended=""),
        "crew/helpers.py": "import math\n",
    },
    "a star that brings what is listed": {
        "start.py": CALLS.format(imports="from work import *\nassert '_cell' not in globals()"),
        "work.py": NAMED.format(parameters="", ended=""),
    },
}


@pytest.mark.parametrize("name", PROJECTS)
def test_what_is_told_of_a_project_is_what_happens(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in PROJECTS[name].items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    run = subprocess.run([sys.executable, "start.py"], cwd=tmp_path, capture_output=True, text=True)
    raised = "backward through the graph a second time" in run.stderr
    assert raised or run.returncode == 0, run.stderr
    monkeypatch.chdir(tmp_path)
    findings = [f for f in check_paths(["."]).findings if f.severity in ("error", "warning")]
    assert bool(findings) is raised, findings
    for finding in findings:
        at = finding.raises_at
        assert at is not None and f'{at.path}", line {at.line}' in run.stderr
