"""`secondpass run` and `explain_errors()`: real runs under PyTorch, and what differs from plain Python (nothing)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CARRIED = """\
import torch

rnn = torch.nn.RNN(3, 5)
hidden = torch.zeros(1, 1, 5)
for step in range(3):
    output, hidden = rnn(torch.randn(7, 1, 3), hidden)
    output.sum().backward()
"""
STALE = """\
import torch

layer = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
loss = layer(torch.tanh(layer(torch.ones(2, 3)))).sum()
loss.backward(retain_graph=True)
optimizer.step()
loss.backward()
"""
UNSEEN = """\
import torch

x = torch.ones(2, requires_grad=True)
loss = (x * x).sum()
exec("loss.backward()")
getattr(loss, "".join(["back", "ward"]))()
"""
SELF = """\
import json, os, sys

print(json.dumps([sys.argv[1:], sys.path, __name__, os.path.realpath(__file__)]))
assert sys.modules["__main__"].__dict__ is globals()
"""


def python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=cwd)


@pytest.mark.parametrize(("program", "rule"), [(CARRIED, "SP101"), (STALE, "SP203")], ids=["carried", "stale"])
def test_the_story_stands_below_the_traceback(program: str, rule: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(program)
    alone = python("train.py", cwd=tmp_path)
    ended = python("-m", "secondpass", "run", "train.py", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (alone.returncode, alone.stdout) == (1, "")
    traceback, _, story = ended.stderr.partition("\n\nsecondpass: why this was raised\n")
    assert traceback == alone.stderr.rstrip("\n"), "PyTorch's own traceback is as without us"
    assert f"[{rule}]: " in story and "--> train.py:" in story
    if rule == "SP101":
        assert "+     hidden = hidden.detach()" in story


def test_what_was_not_found_is_said(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(UNSEEN)
    ended = python("-m", "secondpass", "run", "train.py", "--lr", "1 2", cwd=tmp_path)
    last = ended.stderr.splitlines()[-1]
    assert "second time" in ended.stderr
    assert last.startswith("secondpass: found no cause") and "`secondpass trace train.py --lr '1 2'`" in last


def test_a_program_sees_what_it_would_see(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/script.py").write_text(SELF)
    (tmp_path / "bin").mkdir()
    console = tmp_path / "bin/secondpass"
    console.write_text("import sys\nfrom secondpass.cli.main import main\nsys.exit(main())\n")
    for command in (["inner/script.py", "--x", "-m", "1"], ["-m", "inner.script", "-h"]):
        alone = python(*command, cwd=tmp_path)
        assert alone.returncode == 0
        for way in (["-m", "secondpass"], [str(console)]):
            ended = python(*way, "run", *command, cwd=tmp_path)
            assert (ended.returncode, ended.stdout, ended.stderr) == (alone.returncode, alone.stdout, alone.stderr)


@pytest.mark.parametrize(
    "text", ["raise SystemExit(7)", "1 / 0", "import sys; sys.exit('no')", "def f(:", "raise RuntimeError('other')"]
)
def test_any_other_end_is_pythons(text: str, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(text + "\n")
    alone = python("script.py", cwd=tmp_path)
    ended = python("-m", "secondpass", "run", "script.py", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (alone.returncode, alone.stderr)


def test_nothing_is_loaded_while_nothing_raises(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import sys\nprint(sorted({m for m in sys.modules if m.startswith('secondpass.machine')} | "
        "({'torch', 'libcst', 'rich'} & set(sys.modules))))\n"
    )
    assert python("-m", "secondpass", "run", "script.py", cwd=tmp_path).stdout == "[]\n"


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    ended = python("-m", "secondpass", "run", "nowhere.py", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (2, "secondpass: nowhere.py: no such file\n")


HOOKED = """\
import sys
former = sys.excepthook
def mine(*told):
    print("mine first", file=sys.stderr)
    former(*told)
sys.excepthook = mine
import secondpass
secondpass.explain_errors()
secondpass.explain_errors()
"""


@pytest.mark.parametrize("way", [[], ["-m", "secondpass", "run"]], ids=["python", "run"])
def test_the_hook_calls_the_former_one_and_tells_once(way: list[str], tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def walk(loss):\n    loss.backward()\n")
    program = CARRIED.replace("import torch\n", "import torch\nfrom helper import walk\n")
    (tmp_path / "train.py").write_text(HOOKED + program.replace("output.sum().backward()", "walk(output.sum())"))
    told = python(*way, "train.py", cwd=tmp_path).stderr
    assert told.startswith("mine first\nTraceback")
    assert told.count("secondpass: why this was raised") == 1
    assert told.index("RuntimeError: Trying") < told.index("error[SP101]: `hidden` carries"), told


def test_an_error_raised_from_it_is_explained(tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in CARRIED.splitlines())
    wrapped = f"try:\n{body}except RuntimeError as error:\n    raise ValueError('training failed') from error\n"
    (tmp_path / "train.py").write_text(wrapped)
    told = python("-m", "secondpass", "run", "train.py", cwd=tmp_path).stderr
    assert told.index("ValueError: training failed") < told.index("[SP101]: `hidden` carries")
