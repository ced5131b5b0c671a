"""The progress bar: on a terminal, and only when a run takes long."""

from __future__ import annotations

import sys

import pytest
from secondpass.cli import progress as module
from secondpass.cli.progress import progress


def test_no_terminal_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as told:
        assert told is None


def test_a_short_run_shows_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress() as told:
        assert told is not None
        told(1, 2)
        told(2, 2)
    assert capsys.readouterr().err == ""


def test_a_long_run_shows_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(module, "_PATIENCE", 0)
    with progress() as told:
        assert told is not None
        told(1, 8)
        told(3, 8)
    told_err = capsys.readouterr().err
    assert "checking" in told_err and "3/8" in told_err
