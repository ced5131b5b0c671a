"""`secondpass check` on real files, with nothing in its place: what bad input is told, and several processes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run

RAISES = "import torch\nw = torch.ones(3, requires_grad=True)\nloss = w.exp().sum()\nloss.backward()\nloss.backward()\n"

CARRIED = """import torch
cell = torch.nn.GRUCell(2, 2)
h = torch.zeros(1, 2)
for x in torch.randn(3, 1, 2):
    h = cell(x, h)
    h.sum().backward()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_shortest_story(folder: Path, run: Callable[..., Run]) -> None:
    Path("a.py").write_text(RAISES)
    ended = run("check", "a.py", "--output-format", "json")
    (finding,) = json.loads(ended.out)["findings"]
    assert (ended.status, finding["severity"], finding["raises_at"]["line"]) == (1, "error", 5)


@pytest.mark.parametrize("where", ["a.py", "-"])
def test_findings_come_with_proved_fixes(
    where: str, folder: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.py").write_text(CARRIED)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CARRIED.encode())))
    ended = run("check", where, "--output-format", "json")
    (finding,) = json.loads(ended.out)["findings"]
    (edit,) = next(fix for fix in finding["fixes"] if fix["preferred"])["edits"]
    assert edit["start"] == edit["end"] and "detach()" in edit["text"]
    assert ".detach()" in run("check", "a.py").out


@pytest.mark.parametrize("what", [".", "net.py"])
def test_a_fix_may_belong_in_another_file_than_its_finding(what: str, folder: Path, run: Callable[..., Run]) -> None:
    Path("net.py").write_text(
        "import torch\n"
        "class Net(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.cell, self.h = torch.nn.GRUCell(2, 4), torch.zeros(1, 4)\n"
        "    def forward(self, x):\n"
        "        self.h = self.cell(x, self.h)\n"
        "        return self.h\n"
    )
    Path("train.py").write_text(
        "import torch\nfrom net import Net\nnet = Net()\nfor x in torch.randn(3, 1, 2):\n    net(x).sum().backward()\n"
    )
    found = json.loads(run("check", what, "train.py", "--output-format", "json").out)["findings"]
    (finding,) = [one for one in found if one["raises_at"]]
    assert finding["path"] == "net.py"
    preferred = next(fix for fix in finding["fixes"] if fix["preferred"])
    assert [edit["path"] for edit in preferred["edits"]] == ["train.py"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("gone.py", None, "gone.py:1:1: error no such file or folder\n"),
        ("empty", "folder", "empty:1:1: error no Python files or notebooks to check in this folder\n"),
    ],
)
def test_bad_paths(name: str, content: str | None, told: str, folder: Path, run: Callable[..., Run]) -> None:
    if content == "folder":
        Path(name).mkdir()
    ended = run("check", name, "--output-format", "concise")
    assert (ended.status, ended.out, ended.err) == (2, told, "")


@pytest.mark.parametrize(
    "content", [b"\x7fELF\x00\x01\x02\x03" * 99, b"# torch\n\xff\xfe\xff"], ids=["binary", "no UTF-8"]
)
def test_files_that_are_no_text(content: bytes, folder: Path, run: Callable[..., Run]) -> None:
    Path("a.py").write_bytes(content)
    ended = run("check", "a.py", "--output-format", "concise")
    assert (ended.status, ended.out.count("\n"), ended.err) == (2, 1, "")
    assert ended.out.startswith("a.py:")


def test_a_broken_statement_does_not_hide_the_rest(folder: Path, run: Callable[..., Run]) -> None:
    Path("a.py").write_text(RAISES + "def broken(:\n    pass\n")
    ended = run("check", "a.py", "--output-format", "concise")
    first, second = ended.out.splitlines()
    assert ended.status == 1
    assert ": SP10" in first and second.startswith("a.py:6:")


def test_a_broken_configuration_is_one_line(folder: Path, run: Callable[..., Run]) -> None:
    Path("a.py").write_text(RAISES)
    Path("pyproject.toml").write_text("[tool.secondpass\n")
    ended = run("check", "a.py", "--output-format", "concise")
    assert ended.status == 1
    assert ended.err.startswith("secondpass: pyproject.toml:1: is not valid TOML") and ended.err.count("\n") == 1


def test_excluded_and_ignored(folder: Path, run: Callable[..., Run]) -> None:
    Path("old").mkdir()
    Path("old/a.py").write_text(RAISES)
    Path("b.py").write_text(RAISES)
    assert run("check", "--output-format", "concise").out.count(": SP10") == 2
    assert run("check", "--exclude", "old/", "--output-format", "concise").out.count(": SP10") == 1
    assert run("check", "--ignore", "SP1").status == 0


def test_several_processes_tell_the_same(folder: Path, run: Callable[..., Run]) -> None:
    for number in range(6):
        Path(f"p{number}.py").write_text(RAISES)
    one = run("check", "--output-format", "json", "--jobs", "1")
    two = run("check", "--output-format", "json", "--jobs", "2")
    assert one.out == two.out and json.loads(one.out)["files"] == 6
