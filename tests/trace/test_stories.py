"""What the recorder tells of an error is what the program's marks say, and the program does not notice it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.trace.programs import CLEAN, GROWING, RAISING, Program
from tests.trace.warm import Ended, Warm


def traced(warm: Warm, folder: Path, program: Program, mode: str = "traced") -> Ended:
    (folder / "program.py").write_text(program.text)
    return warm.run(folder, "program.py", mode=mode)


def covered(places: list[dict[str, Any]]) -> set[int]:
    return {line for p in places for line in range(p["line"], p["end_line"] + 1)}


def same_text(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+|\d+\.\d+s", "", text)


@pytest.mark.parametrize("program", RAISING, ids=lambda p: p.name)
def test_the_story_of_an_error(warm: Warm, tmp_path: Path, program: Program) -> None:
    ended = traced(warm, tmp_path, program)
    assert ended.report, ended.stderr
    raised = ended.report["raised"]
    assert raised, ended.stdout + ended.stderr
    assert raised["kind"] == program.kind
    assert {raised["line"]} == program.lines("raises")
    assert program.lines("built") <= covered(raised["built"]), raised["built"]
    assert program.lines("consumed") & covered(raised["consumed"]), raised["consumed"]
    assert raised["consumed"][0]["line"] in program.lines("consumed")
    assert raised["turn"] == program.iteration
    if program.carries:
        assert program.carries in [carrier["name"] for carrier in raised["carried"]]


@pytest.mark.parametrize("program", RAISING + CLEAN + GROWING, ids=lambda p: p.name)
def test_the_program_does_not_notice(warm: Warm, tmp_path: Path, program: Program) -> None:
    """Same status, same output, same traceback, character for character."""
    ended, plain = traced(warm, tmp_path, program), traced(warm, tmp_path, program, "plain")
    assert ended.status == plain.status
    assert same_text(ended.stdout) == same_text(plain.stdout)
    assert same_text(ended.stderr) == same_text(plain.stderr)


@pytest.mark.parametrize("program", CLEAN, ids=lambda p: p.name)
def test_a_clean_program_ends_clean(warm: Warm, tmp_path: Path, program: Program) -> None:
    ended = traced(warm, tmp_path, program)
    assert ended.report, ended.stderr
    assert ended.report["raised"] is None
    assert not [row for row in ended.report["growth"] if not row["dropped"]]
    assert ended.report["backward_count"] >= 8
    assert ended.report["outcome"]["reason"] == "finished"


@pytest.mark.parametrize("program", GROWING, ids=lambda p: p.name)
def test_growth_without_an_error(warm: Warm, tmp_path: Path, program: Program) -> None:
    ended = traced(warm, tmp_path, program)
    assert ended.report, ended.stderr
    assert ended.report["raised"] is None
    rows = {row["name"]: row for row in ended.report["growth"]}
    row = rows[program.carries]
    assert not row["dropped"]
    assert row["nodes"] == sorted(set(row["nodes"]))
    assert row["built"][0]["line"] in program.lines("built")


def test_every_error_a_program_catches_is_recorded(warm: Warm, tmp_path: Path) -> None:
    program = next(p for p in RAISING if "catches" in p.name)
    ended = traced(warm, tmp_path, program)
    assert ended.report
    assert ended.status == 0
    assert ended.stdout == "caught\ncaught\n"
    assert [error["turn"] for error in ended.report["errors"]] == [2, 3]


def test_inference_is_said(warm: Warm, tmp_path: Path) -> None:
    """A consumer whose roots are no longer held is the first call after the graph was built, and is called inferred."""
    for program in RAISING[:3] + [p for p in RAISING if "held" in p.name]:
        ended = traced(warm, tmp_path, program)
        assert ended.report
        assert ended.report["raised"]["inferred"] == ("held" in program.name)


def test_the_parameter_that_a_step_changed_is_named(warm: Warm, tmp_path: Path) -> None:
    program = next(p for p in RAISING if p.name.startswith("a step changes"))
    ended = traced(warm, tmp_path, program)
    assert ended.report
    (stepped,) = ended.report["raised"]["stepped"]
    assert (stepped["optimizer"], stepped["parameter"]) == ("SGD", "net.2.weight")


def test_loops_and_calls_are_counted(warm: Warm, tmp_path: Path) -> None:
    program = next(p for p in RAISING if "nested" in p.name)
    ended = traced(warm, tmp_path, program)
    assert ended.report
    loops = {row["line"]: (row["starts"], row["turns"]) for row in ended.report["turns"]}
    assert sorted(loops.values()) == [(1, 2), (2, 4)]
    assert [(row["turn"], row["retain_graph"]) for row in ended.report["backwards"]] == [(1, False), (2, False)]
    walked = [row["walked"] for row in ended.report["backwards"]]
    assert walked[1] > walked[0] > 10
