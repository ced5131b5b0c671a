"""What goes wrong meets one place: a fault of ours, an interrupt, a reader that goes away, an odd terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from .conftest import Engine, Run


def test_a_fault_of_ours_is_told_as_such(
    engine: Engine, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECONDPASS_DEBUG", raising=False)
    engine.fault = ZeroDivisionError("some\nthing")
    ended = run("check")
    assert (ended.status, ended.out) == (2, "")
    first, second = ended.err.splitlines()
    assert first == "secondpass: internal fault, not your program's: ZeroDivisionError: some thing"
    assert "SECONDPASS_DEBUG=1" in second
    monkeypatch.setenv("SECONDPASS_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("check")


def test_an_interrupt(engine: Engine, run: Callable[..., Run]) -> None:
    engine.fault = KeyboardInterrupt()
    ended = run("check")
    assert (ended.status, ended.err) == (130, "secondpass: interrupted\n")


def test_a_reader_that_goes_away() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "secondpass", "explain", "--all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
    process.stderr.close()


def test_a_terminal_without_letters() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "secondpass", "check", "漢字.py", "--output-format", "concise"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
    )
    assert ended.returncode == 2 and ended.stderr == b""
    assert ended.stdout.startswith(b"\\u6f22\\u5b57.py:1:1: error ")
