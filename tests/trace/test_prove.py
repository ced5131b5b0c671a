"""`secondpass fix --prove`: candidates run in a copy, told one by one, and the first that runs is taken."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest
from secondpass.cli.main import main
from secondpass.findings import Edit, Finding, Fix, Severity, Span
from secondpass.trace.proof import run_changed
from secondpass.trace.record import Executed, Growth, Outcome, Place, Raised, Trace
from secondpass.trace.runner import Bounds
from secondpass.trace.trial import Prover, judged

CARRY = """\
import torch
cell, h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)
for step in range(3):
    h = cell(torch.randn(2, 3), h)
    h.sum().backward()
"""
SECOND = """\
out = torch.nn.Linear(3, 3)(torch.ones(1, 3)).exp()
for step in range(2):
    out.sum().backward()
"""
CUT = CARRY + "    h = h.detach()\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


FINDING = Finding("SP101", "carried-state", Severity.ERROR, Span("train.py", 4, 9, 4, 35), "m", subject="h")


def fix(title: str) -> Fix:
    return Fix(title, title, "changes-gradients", False, (Edit(Span("train.py", 6, 1, 6, 1), ""),))


def tried(texts: Sequence[str]) -> tuple[str | None, list[str]]:
    """Which of these texts of `train.py` is taken, and what is said on the way."""
    said: list[str] = []
    candidates = [(fix(f"number {n}"), {"train.py": text}) for n, text in enumerate(texts, 1)]
    prover = Prover(said.append, bounds=Bounds(timeout=30))
    now = {"train.py": Path("train.py").read_text()}
    taken = prover.choose("train.py", FINDING, now, candidates)
    assert prover.failure is None
    return (taken.title if taken else None), said[1:]


def test_a_fix_that_raises_gives_way_to_the_next(here: Path) -> None:
    (here / "train.py").write_text(CARRY)
    broken = CARRY.replace("h.sum()", "h.sun()")
    elsewhere = "print('no walk')\n"
    taken, said = tried([CARRY + "    pass\n", broken, elsewhere, CUT, CUT])
    assert taken == "number 4"
    assert said == [
        "as it is train.py raises at train.py:5 in iteration 2",
        "tried train.py:4:9 SP101: number 1: raises at train.py:5 in iteration 2",
        "tried train.py:4:9 SP101: number 2: ends otherwise: AttributeError: 'Tensor' object has no attribute 'sun'",
        "tried train.py:4:9 SP101: number 3: says too little: it ended, with 0 backward calls",
        "tried train.py:4:9 SP101: number 4: runs (3 backward calls)",
    ]
    assert (here / "train.py").read_text() == CARRY


def test_both_faults_of_a_program_are_fixed_and_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = here / "train.py"
    file.write_text(CARRY + SECOND)
    assert main(["fix", "--prove", "--unsafe", "--timeout", "30", "train.py"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("running train.py in a copy, with ")
    assert said[1] == "as it is train.py raises at train.py:5 in iteration 2"
    assert "gets past this error, then raises at train.py:9 in iteration 2" in said[2]
    assert any(line.endswith(": runs (5 backward calls)") for line in said)
    assert [line.split(":")[0] for line in said[-2:]] == ["fixed train.py"] * 2
    trace = run_changed({}, root=here, arguments=["train.py"])
    assert (trace.raised, trace.backward_count) == (None, 5)


def test_a_module_of_the_project_run_by_another_program(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "steps.py").write_text(CARRY.replace("range(3)", "range(int(__import__('sys').argv[1]))"))
    (here / "main.py").write_text("import steps\n")
    assert main(["fix", "--prove", "--unsafe", "--diff", "steps.py", "--", "main.py", "4"]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1] == "+    h = h.detach()"
    assert [line.rpartition(": ")[2] for line in shown.err.splitlines()[1:]] == [
        "as it is steps.py raises at steps.py:5 in iteration 2",
        "runs (4 backward calls)",
    ]
    assert "detach" not in (here / "steps.py").read_text()


def test_nothing_runs_without_the_flag(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a program was run")

    monkeypatch.setattr("secondpass.trace.runner.subprocess.Popen", never)
    (here / "train.py").write_text(CARRY)
    assert main(["fix", "--unsafe", "train.py"]) == 0
    assert "detach" in (here / "train.py").read_text()
    with pytest.raises(AssertionError, match="a program was run"):
        run_changed({}, root=here, arguments=["train.py"])


def test_a_program_that_cannot_be_run_is_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.py").write_text(CARRY)
    assert main(["fix", "--prove", "--unsafe", "train.py", "--", "gone.py"]) == 2
    shown = capsys.readouterr()
    assert shown.err == "secondpass: train.py cannot be run to try its fixes: gone.py is not a file\n"
    assert shown.out.splitlines()[-1] == "left train.py:4:9 SP101: none of its fixes was seen to run"
    assert (here / "train.py").read_text() == CARRY
    assert main(["fix", "--timeout", "3", "train.py"]) == 2
    assert capsys.readouterr().err.startswith("secondpass: --timeout bounds the runs of --prove: give both")


def test_a_copy_keeps_encodings_links_and_the_interpreter_of_the_project(
    here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("data")
    (data / "numbers.txt").write_text("41\n")
    (here / "data").symlink_to(data, target_is_directory=True)
    (here / "bin.log").write_text("")
    (here / ".venv" / "bin").mkdir(parents=True)
    python = here / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\necho chosen\n")
    python.chmod(0o755)
    (here / "train.py").write_bytes("# coding: latin-1\nprint('é')\n".encode("latin-1"))
    text = "# coding: latin-1\nprint(len('é'), open('data/numbers.txt').read())\n"
    assert run_changed({"train.py": text}, root=here, arguments=["train.py"]).stdout.text == "chosen\n"
    python.unlink()
    assert run_changed({"train.py": text}, root=here, arguments=["train.py"]).stdout.text.split() == ["1", "41"]


RAISED = Raised(path="train.py", line=5, iteration=2, kind="second-time", text="loss.backward()", backward=2)
RAN = (Executed(path="train.py", lines=(1, 5)),)
GREW = Growth(kind="held", name="total", path="train.py", line=5, calls=(1, 2, 4, 8), nodes=(2, 4, 8, 16))


def trace(reason: str = "finished", note: str = "", **more: object) -> Trace:
    outcome = Outcome(reason=reason, note=note, exit_code=0)  # type: ignore[arg-type]
    made = Trace(raised=None, outcome=outcome, executed=RAN, backward_count=3)
    return dataclasses.replace(made, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("run", "kind", "said"),
    [
        (trace(), "runs", "runs (3 backward calls)"),
        (trace("turns", "stopped after 50 backward calls"), "runs", "runs (stopped after 50 backward calls)"),
        (
            trace("timeout", "stopped after 60 s", backward_count=1),
            "stopped",
            "says too little: stopped after 60 s, with 1 backward call",
        ),
        (trace("memory", "stopped because it used more than 9 MB of memory"), "stopped", "ends otherwise: stopped"),
        (trace("killed", "the program was killed by SIGKILL"), "stopped", "ends otherwise: the program was killed"),
        (
            trace(executed=(Executed(path="main.py", lines=(1,)),)),
            "unclear",
            "says nothing: the run did not reach train",
        ),
        (trace(raised=RAISED), "raises", "raises at train.py:5 in iteration 2"),
        (
            trace(raised=dataclasses.replace(RAISED, line=9, built=(Place(path="train.py", line=7, text="z = f(z)"),))),
            "moved",
            "gets past this error, then raises at train.py:9 in iteration 2",
        ),
        (trace(raised=dataclasses.replace(RAISED, line=6)), "raises", "raises at train.py:6 in iteration 2"),
    ],
)
def test_what_a_run_says(run: Trace, kind: str, said: str) -> None:
    trial = judged(run, ["train.py"], trace(raised=RAISED), "SP101", "h")
    assert (trial.kind, trial.said[: len(said)]) == (kind, said)


def test_growth_that_stays() -> None:
    before = trace(growth=(GREW,))
    leaking = judged(before, ["train.py"], before, "SP301", "meter.total")
    assert (leaking.kind, leaking.said) == ("grows", "runs, and `total` still grows")
    assert judged(trace(), ["train.py"], before, "SP301", "total").kind == "runs"
    other = dataclasses.replace(GREW, name="other")
    assert judged(trace(growth=(other,)), ["train.py"], before, "SP301", "total").kind == "runs"
