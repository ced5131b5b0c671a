"""What a team with old findings needs in CI: baselines, levels, formats, comments, status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run

RAISES = """\
import torch

loss = torch.nn.Linear(2, 1)(torch.randn(3, 2)).exp().sum()
loss.backward()
loss.backward()
"""
GROWS = """\
import torch

net, total = torch.nn.Linear(2, 1), 0.0
for x in torch.randn(4, 3, 2):
    loss = net(x).exp().sum()
    loss.backward()
    total += loss
"""
Runner = Callable[..., Run]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(RAISES)
    return tmp_path


def test_a_baseline_hides_what_it_knows_wherever_it_moves(here: Path, run: Runner) -> None:
    written = run("check", "a.py", "--write-baseline", "known.json")
    assert (written.status, written.out) == (0, "1 finding written to known.json\n")
    assert run("check", "a.py", "--baseline", "known.json").status == 0
    Path("a.py").write_text("# a line above\n" + RAISES)
    assert run("check", "a.py", "--baseline", "known.json").status == 0
    Path("a.py").write_text(RAISES + "loss.backward()\n")
    Path("b.py").write_text(RAISES)
    ended = run("check", ".", "--baseline", "known.json", "--output-format", "concise")
    assert ended.status == 1 and "b.py:5:" in ended.out and "a.py:5:" not in ended.out


@pytest.mark.parametrize("content", ["", "[]", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{}]}'])
def test_a_bad_baseline_is_one_line(here: Path, run: Runner, content: str) -> None:
    Path("known.json").write_text(content)
    ended = run("check", "a.py", "--baseline", "known.json")
    assert ended.status == 2 and ended.err.startswith("secondpass: known.json is") and ended.err.count("\n") == 1


def test_levels_decide_the_status(here: Path, run: Runner) -> None:
    Path("grows.py").write_text(GROWS)
    assert run("check", "grows.py").status == 1
    assert run("check", "grows.py", "--fail-on", "error").status == 0
    assert run("check", "a.py", "--fail-on", "error").status == 1
    assert run("check", "a.py", "--exit-zero").status == 0
    assert run("check", "a.py", "missing.py", "--exit-zero").status == 2


def test_an_unreadable_file_that_is_named_is_status_2(here: Path, run: Runner) -> None:
    Path("broken.ipynb").write_text('{"cells": "import torch')
    Path("clean.py").write_text("import torch\n")
    assert run("check", "clean.py", "broken.ipynb").status == 2
    assert run("check", ".", "--exclude", "a.py").status == 0


def test_formats_for_gitlab_and_junit(here: Path, run: Runner) -> None:
    (entry,) = json.loads(run("check", "a.py", "--output-format", "gitlab").out)
    assert entry["location"] == {"path": "a.py", "lines": {"begin": 5, "end": 5}} and entry["severity"] == "critical"
    Path("a.py").write_text("\n" + RAISES)
    (moved,) = json.loads(run("check", "a.py", "--output-format", "gitlab").out)
    assert len(entry["fingerprint"]) == 64
    assert moved["location"]["lines"]["begin"] == 6
    suite = ElementTree.fromstring(run("check", "a.py", "--output-format", "junit").out.partition("\n")[2])
    (case,) = suite.findall("testcase")
    assert suite.get("failures") == "1" and case.get("file") == "a.py" and case.find("failure") is not None
    Path("a.py").write_text("import torch\n")
    suite = ElementTree.fromstring(run("check", "a.py", "--output-format", "junit").out.partition("\n")[2])
    assert suite.get("failures") == "0"


def test_output_goes_where_it_is_asked_to(here: Path, run: Runner) -> None:
    ended = run("check", "a.py", "--output-format", "json", "--output-file", "report.json")
    assert (ended.status, ended.out) == (1, "")
    assert json.loads(Path("report.json").read_text())["findings"]
    assert run("check", "a.py", "--output-file", "no/such/folder").status == 2


def test_quiet_statistics_and_colour(here: Path, run: Runner) -> None:
    assert "checked" not in run("check", "a.py", "--quiet").out
    assert run("check", "a.py", "--statistics").out.endswith("     1  SP102 repeated-backward\n")
    assert "\x1b[" in run("check", "a.py", "--color", "always").out
    assert "\x1b[" not in run("check", "a.py", "--color", "never").out


def test_a_comment_for_every_finding(here: Path, run: Runner) -> None:
    Path("grows.py").write_text(GROWS)
    assert run("check", ".", "--add-ignore").out == "2 findings silenced in 2 files\n"
    assert Path("a.py").read_text().endswith("loss.backward()  # secondpass: ignore[SP102]\n")
    assert run("check", ".").status == 0


def test_names_are_taken_wherever_codes_are(here: Path, run: Runner) -> None:
    assert run("check", "a.py", "--ignore", "repeated-backward").status == 0
    Path("secondpass.toml").write_text('ignore = ["repeated-backward"]\n')
    assert run("check", "a.py").status == 0
    Path("secondpass.toml").unlink()
    Path("a.py").write_text(RAISES[:-1] + "  # secondpass: ignore[repeated-backward]\n")
    assert run("check", "a.py").out.startswith("1 file checked, nothing found\n")
    Path("a.py").write_text(RAISES[:-1] + "  # secondpass: ignore[SP999]\n")
    assert "there is no rule `SP999`" in run("check", "a.py").out


def test_files_may_have_ignores_of_their_own(here: Path, run: Runner) -> None:
    Path("tests").mkdir()
    Path("tests/b.py").write_text(RAISES)
    Path("secondpass.toml").write_text('per-file-ignores = { "tests/" = ["SP102"] }\n')
    ended = run("check", ".", "--output-format", "concise")
    assert "a.py:5:" in ended.out and "tests" not in ended.out
    Path("elsewhere.toml").write_text('ignore = ["SP1"]\n')
    assert run("check", ".", "--config", "elsewhere.toml").status == 0
    assert run("check", ".", "--config", "missing.toml").status == 2


def test_what_a_fix_would_change_is_status_1(here: Path, run: Runner) -> None:
    ended = run("fix", "--diff", "--unsafe")
    assert ended.status == 1 and "--- a/a.py\n" in ended.out
    document = json.loads(run("fix", "--diff", "--unsafe", "--output-format", "json", str(here)).out)
    (change,) = document["changes"]
    assert "//" not in change["diff"].splitlines()[0] and change["applied"][0]["rule"] == "SP102"
    assert run("fix", "--output-format", "json").status == 2
