"""`secondpass trace` around a given record: what the runner is asked, what is printed, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from secondpass.trace import runner
from secondpass.trace.record import Outcome, Raised, Reason, Trace, TraceError

from .conftest import Run


class Runner:
    """Stands in for `trace_command`: answers with `trace` (or raises `fault`) and keeps what it was asked."""

    def __init__(self) -> None:
        self.trace = Trace(raised=None, outcome=Outcome(reason="finished"))
        self.fault: TraceError | None = None
        self.asked: tuple[list[str], dict[str, Any]] = ([], {})

    def __call__(self, arguments: Sequence[str], **more: Any) -> Trace:
        self.asked = (list(arguments), more)
        if self.fault is not None:
            raise self.fault
        more["heard"]("stdout", b"its own output\n")
        more["heard"]("stderr", b"its own words\n")
        return self.trace


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Runner:
    made = Runner()
    monkeypatch.setattr(runner, "trace_command", made)
    return made


def test_arguments_are_the_programs_own(stand_in: Runner, run: Callable[..., Run]) -> None:
    ended = run("trace", "--turns", "3", "--timeout", "9", "train.py", "--turns", "8", "--", "-x")
    arguments, more = stand_in.asked
    assert arguments == ["train.py", "--turns", "8", "--", "-x"]
    assert (more["bounds"].iterations, more["bounds"].timeout) == (3, 9)
    assert ended.status == 0
    assert ended.out.startswith("its own output\n") and ended.err == "its own words\n"


@pytest.mark.parametrize("program", [["-m", "pkg.train", "--lr", "1", "--turns", "8"], ["-m", "pkg.train", "--", "-x"]])
def test_a_module_needs_no_dashes(stand_in: Runner, run: Callable[..., Run], program: list[str]) -> None:
    run("trace", "--turns", "2", *program)
    assert stand_in.asked[0] == program
    assert stand_in.asked[1]["bounds"].iterations == 2
    run("trace", "train.py", *program)
    assert stand_in.asked[0] == ["train.py", *program]


def test_memory_is_bounded_in_megabytes(stand_in: Runner, run: Callable[..., Run]) -> None:
    run("trace", "train.py")
    assert stand_in.asked[1]["bounds"].memory is None
    run("trace", "--memory", "800", "train.py")
    assert stand_in.asked[1]["bounds"].memory == 800_000_000
    assert run("trace", "--memory", "0", "train.py").status == 2


def test_a_module_and_torchrun_follow_two_dashes(stand_in: Runner, run: Callable[..., Run]) -> None:
    run("trace", "--", "-m", "pkg.train", "--lr", "1")
    assert [word for word in stand_in.asked[0] if word != "--"] == ["-m", "pkg.train", "--lr", "1"]
    run("trace", "--", "torchrun", "--nproc-per-node", "2", "train.py")
    assert [word for word in stand_in.asked[0] if word != "--"] == ["torchrun", "--nproc-per-node", "2", "train.py"]


@pytest.mark.parametrize(
    ("reason", "status"),
    [("finished", 0), ("turns", 0), ("timeout", 0), ("no-torch", 2), ("killed", 2), ("refused", 2)],
)
def test_exit_status(reason: Reason, status: int, stand_in: Runner, run: Callable[..., Run]) -> None:
    stand_in.trace = Trace(raised=None, outcome=Outcome(reason=reason))
    assert run("trace", "train.py").status == status


def test_a_run_that_raised(stand_in: Runner, run: Callable[..., Run], tmp_path: Path) -> None:
    raised = Raised(kind="second-time", path="train.py", line=7, iteration=2)
    stand_in.trace = Trace(raised=raised, outcome=Outcome(reason="raised"))
    ended = run("trace", "--output", str(tmp_path / "run.json"), "train.py")
    assert ended.status == 1
    written = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert (written["raised"]["kind"], written["raised"]["line"]) == ("second-time", 7)


@pytest.mark.parametrize(("backwards", "status"), [(0, 2), (3, 0)])
def test_a_program_that_failed_of_itself(
    backwards: int, status: int, stand_in: Runner, run: Callable[..., Run]
) -> None:
    stand_in.trace = Trace(raised=None, outcome=Outcome(reason="raised"), backward_count=backwards)
    assert run("trace", "train.py").status == status


def test_a_program_that_cannot_start(stand_in: Runner, run: Callable[..., Run]) -> None:
    stand_in.fault = TraceError("no Python here")
    ended = run("trace", "train.py")
    assert (ended.status, ended.err) == (2, "secondpass: no Python here\n")
