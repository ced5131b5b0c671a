"""What the tests of real editors share: the training file, the pages of docs/editors, an environment of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs" / "editors"
TRAINING = """import torch

rnn = torch.nn.RNN(3, 3)
h = torch.zeros(1, 3)
for step in range(3):
    inp = torch.randn(1, 3)
    note = "😀é漢"; out, h = rnn(inp, h)
    loss = out.sum()
    loss.backward()
"""
MARKED = "rnn(inp, h)"
COLUMN = next(line.index(MARKED) + 1 for line in TRAINING.splitlines() if MARKED in line)
"""Where it starts on its line, in characters, from 1."""
FIXED = "h.detach()"
"""What any good fix of the training file writes, wherever it puts it."""
HOVER = "SP101"


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page of docs/editors, as a reader would paste them."""
    text = (DOCS / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class Desk:
    """A folder with a training file, a home of its own, and `secondpass` on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        self.project = folder / "project"
        self.project.mkdir()
        (self.project / "pyproject.toml").write_text("")
        self.file = self.project / "train.py"
        self.write_training(TRAINING)
        binaries = folder / "bin"
        binaries.mkdir()
        (binaries / "secondpass").symlink_to(Path(sys.executable).parent / "secondpass")
        self.environment: dict[str, str] = {
            **{key: value for key, value in os.environ.items() if not key.startswith("XDG_")},
            "HOME": str(self.home),
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def write_training(self, text: str) -> None:
        self.training = text
        self.file.write_text(text, "utf-8")

    def drive(self, command: Sequence[str], **task: Any) -> None:
        """Run an editor with a script that works through the task; every one of its checks must hold."""
        given = {"file": str(self.file), "marked": MARKED, "hover": HOVER, "fixed": FIXED, **task}
        (self.folder / "task.json").write_text(json.dumps(given), "utf-8")
        out = self.folder / "out.json"
        environment = {**self.environment, "TASK": str(self.folder / "task.json"), "OUT": str(out)}
        ran = subprocess.run(
            command, env=environment, cwd=self.project, capture_output=True, text=True, timeout=90, check=False
        )
        assert out.exists(), f"the editor wrote nothing: {ran.stdout[-2000:]}{ran.stderr[-2000:]}"
        checks = json.loads(out.read_text("utf-8"))["checks"]
        failed = [f"{one['name']}: {one['detail'][:1500]}" for one in checks if one["ok"] is not True]
        assert not failed, "\n".join([*failed, ran.stderr[-1000:]])
        assert len(checks) > 6
        self.saved()

    def saved(self) -> None:
        """The file on disk holds the fix, is otherwise as it was, and has no finding any more."""
        text = self.file.read_text("utf-8")
        assert FIXED in text, text
        rest = [line.replace(".detach()", "") for line in text.splitlines() if line.strip() != "h = h.detach()"]
        assert rest == self.training.splitlines()
        command = ["secondpass", "check", "--output-format", "concise", str(self.file)]
        ran = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def editor(name: str, *places: str) -> str:
    """Where an editor is; a test cannot do without (see .ci/editors.sh)."""
    found = shutil.which(name) or next((place for place in places if Path(place).exists()), None)
    assert found, f"{name} is not installed; run .ci/editors.sh"
    return found


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file
