"""The pytest plugin in a real pytest: a section in the report of the test that failed, and nothing elsewhere."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

PLUGIN = "secondpass.moment.pytest_plugin"
TESTS = """\
import torch


def test_walks_twice():
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    loss.backward()


def test_fails_otherwise():
    assert 1 == 2


def test_passes():
    pass
"""


def pytest_in(folder: Path, *arguments: str) -> str:
    """What a real pytest says there; the plugin is named where the package's entry points are not installed."""
    known = any(entry.value == PLUGIN for entry in entry_points(group="pytest11"))
    named = [] if known else ["-p", PLUGIN]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *named, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout


def test_a_failing_test_has_its_story(tmp_path: Path) -> None:
    (tmp_path / "test_training.py").write_text(TESTS)
    told = pytest_in(tmp_path)
    assert "2 failed, 1 passed" in told
    assert told.count(" secondpass -") == 1, told
    story = told.partition(" secondpass -")[2]
    assert "[SP102]: " in story
    assert "--> test_training.py:8:5" in story
    assert told.index("test_walks_twice") < told.index(" secondpass -") < told.index("test_fails_otherwise")


def test_the_entry_point_names_the_plugin() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'[project.entry-points.pytest11]\nsecondpass = "{PLUGIN}"\n' in text
