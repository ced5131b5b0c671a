"""`secondpass graph` around a given report: which finding is drawn, and in which form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from secondpass.findings import FileError, Finding, Report, Severity, Span, Step

from .conftest import Engine, Run


def finding(line: int) -> Finding:
    span = Span("train.py", line, 1, line, 2)
    return Finding("SP102", "x", Severity.ERROR, span, f"at {line}", witness=(Step("walked-again", span, 1, ""),))


@pytest.fixture
def two(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text("x\n" * 50)
    engine.report = Report(1, [finding(10), finding(40)])
    return engine


def test_the_nearest_finding_is_drawn(two: Engine, run: Callable[..., Run]) -> None:
    assert "at 40" in run("graph", "train.py:33").out
    assert "at 10" in run("graph", "train.py:3").out
    assert two.asked[0][0] == ["train.py"]


def test_the_first_is_drawn_and_the_others_named(two: Engine, run: Callable[..., Run]) -> None:
    ended = run("graph", "train.py")
    assert "at 10" in ended.out and ended.err == "secondpass: also at train.py:40\n"


def test_forms(two: Engine, run: Callable[..., Run]) -> None:
    assert run("graph", "train.py:1", "--format", "svg").out.startswith("<svg ")
    assert run("graph", "train.py:1", "--format", "html").out.startswith("<!DOCTYPE html>")


def test_nothing_to_draw(engine: Engine, run: Callable[..., Run]) -> None:
    engine.report = Report(files=1)
    ended = run("graph", "clean.py")
    assert (ended.status, ended.err) == (0, "secondpass: nothing to draw, no graph in clean.py is walked twice\n")


def test_a_file_that_cannot_be_read(engine: Engine, run: Callable[..., Run]) -> None:
    engine.report = Report(errors=[FileError("gone.py", 1, "no such file or folder")])
    ended = run("graph", "gone.py")
    assert (ended.status, ended.err) == (2, "secondpass: gone.py:1: no such file or folder\n")
