"""Findings against recorded runs: the verdict, its iteration and its reason, and what only the run saw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from secondpass import check_paths
from secondpass.findings import Finding, RaisesAt, Report, Severity, Span, Step
from secondpass.trace import record
from secondpass.trace.reconcile import apply, findings_of, reconcile_file

from tests.trace.programs import CLEAN, GROWING, RAISING, Program, program
from tests.trace.warm import Warm


def recorded(warm: Warm, folder: Path, text: str, *arguments: str) -> record.Trace:
    (folder / "program.py").write_text(text)
    ended = warm.run(folder, *arguments, "program.py")
    assert ended.report, ended.stderr
    return record.parse(ended.report, "test")


def finding(rule: str = "SP101", line: int = 8, iteration: int = 2, **more: Any) -> Finding:
    """A carry in the first of the programs: built at 8, consumed at 10, raises at 10."""
    span = Span("program.py", line, 1, line, 2)
    at = Span("program.py", 10, 1, 10, 2)
    steps = (Step("built", span, 1, ""), Step("consumed", at, 1, ""), Step("walked-again", at, iteration, ""))
    told = Finding(
        rule, "name", Severity.ERROR, span, "message", raises_at=RaisesAt("program.py", 10, iteration), witness=steps
    )
    return replace(told, **more)


def judged(trace: record.Trace, *findings: Finding) -> list[tuple[str, str | None, str]]:
    out = apply(Report(files=1, findings=list(findings)), trace).findings
    return [(f.rule, f.trace.verdict if f.trace else None, f.trace.note if f.trace else "") for f in out]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


CARRY = RAISING[0]


def test_confirmed_with_the_iteration_and_nothing_told_twice(warm: Warm, here: Path) -> None:
    trace = recorded(warm, here, CARRY.text)
    out = apply(Report(files=1, findings=[finding()]), trace).findings
    assert [f.rule for f in out] == ["SP101"]
    assert out[0].trace and (out[0].trace.verdict, out[0].trace.iteration) == ("confirmed", 2)


def test_contradicted_only_when_the_run_went_past_it(warm: Warm, here: Path) -> None:
    cut = CARRY.text.replace("range(3)", "range(5)") + "    h = h.detach()\n"
    assert judged(recorded(warm, here, cut), finding()) == [("SP101", "contradicted", "")]
    short = cut.replace("range(5)", "range(2)")
    assert judged(recorded(warm, here, short), finding()) == [
        ("SP101", "not-reached", "the run made 2 of the iterations it needs")
    ]
    bounded = recorded(warm, here, cut, "--turns", "2")
    assert judged(bounded, finding()) == [
        ("SP101", "not-reached", "the run made 2 of the iterations it needs: stopped after 2 backward calls")
    ]
    assert judged(recorded(warm, here, cut), finding(assumptions=("`h` is not cut",))) == [
        ("SP101", "not-reached", "the run went another way than it assumes")
    ]


def test_not_reached_says_why(warm: Warm, here: Path) -> None:
    trace = recorded(warm, here, CARRY.text)
    other = finding(raises_at=RaisesAt("program.py", 30, 2), line=29, witness=())
    assert judged(trace, finding(), other) == [
        ("SP101", "confirmed", ""),
        ("SP101", "not-reached", "line 30 did not run: the run raised at program.py:10"),
    ]
    elsewhere = finding(raises_at=RaisesAt("other.py", 3, 2), witness=())
    assert ("SP101", "not-reached", "the run did not import other.py") in judged(trace, elsewhere)
    failed = recorded(warm, here, "import torch\n1 / 0\n")
    (verdict, *_) = judged(failed, finding())
    assert verdict[1] == "not-reached"
    assert "ZeroDivisionError" in verdict[2]


def test_an_error_nobody_foresaw(warm: Warm, here: Path) -> None:
    trace = recorded(warm, here, CARRY.text)
    (told,) = apply(Report(files=1), trace).findings
    assert (told.rule, told.severity, told.span.line, told.span.column) == ("SP401", Severity.ERROR, 10, 5)
    assert told.message == "in this run, `h` brought in a graph that line 10 had already consumed in iteration 1"
    assert told.subject == "h"
    assert told.raises_at == RaisesAt("program.py", 10, 2)
    assert [(step.role, step.span.line, step.iteration) for step in told.witness] == [
        ("built", 8, 1),
        ("consumed", 10, 1),
        ("walked-again", 10, 2),
    ]
    assert told.loop and told.loop.line == 7
    assert findings_of(trace) == [told]


def test_growth(warm: Warm, here: Path) -> None:
    total = GROWING[0]
    trace = recorded(warm, here, total.text)
    (told,) = apply(Report(files=1), trace).findings
    assert (told.rule, told.severity, told.subject) == ("SP402", Severity.WARNING, "total")
    assert {told.span.line} == total.lines("built")
    span = Span("program.py", told.span.line, 1, told.span.line, 5)
    known = Finding("SP301", "growing-history", Severity.WARNING, span, "grows", subject="total")
    (row,) = judged(trace, known)
    assert row[:2] == ("SP301", "confirmed")
    (short,) = judged(recorded(warm, here, total.text, "--turns", "2"), known)
    assert short[1] == "not-reached"


def test_a_rule_that_a_run_cannot_judge_is_left_alone(warm: Warm, here: Path) -> None:
    trace = recorded(warm, here, CLEAN[0].text)
    assert judged(trace, finding("SP202")) == [("SP202", None, "")]


def test_another_exception_of_the_engine(warm: Warm, here: Path) -> None:
    """What torch says of retain_graph under torch.compile; it takes a C++ compiler to make it say so, hence a hook."""
    text = program(
        "",
        """
        def refuse(grad):
            raise RuntimeError("This backward function was compiled with non-empty donated buffers")
        y = torch.rand(3, requires_grad=True).exp()
        y.register_hook(refuse)
        try:
            y.sum().backward(retain_graph=True)
        except RuntimeError:
            pass
        """,
    ).text
    trace = recorded(warm, here, text)
    assert trace.raised is None
    (other,) = trace.other_errors
    assert other.message == "RuntimeError: This backward function was compiled with non-empty donated buffers"
    span = Span("program.py", 10, 1, 10, 9)
    found = Finding("SP205", "retain-under-compile", Severity.ERROR, span, "", raises_at=RaisesAt("program.py", 10, 1))
    found = replace(found, witness=(Step("walked-again", span, 1, ""),))
    assert judged(trace, found) == [("SP205", None, "")]
    inside = replace(found, span=replace(span, line=other.line, end_line=other.line))
    assert judged(trace, inside) == [("SP205", "confirmed", "PyTorch refused it")]


@pytest.mark.parametrize("case", RAISING, ids=lambda p: p.name)
def test_what_the_check_says_is_confirmed_or_made_up_for(warm: Warm, here: Path, case: Program) -> None:
    """No serious finding on a program that raises is contradicted; whatever raised is told, by the check or the run."""
    trace = recorded(warm, here, case.text)
    out = apply(check_paths(["program.py"]), trace).findings
    verdicts = [f.trace.verdict for f in out if f.trace and f.severity.serious]
    assert "contradicted" not in verdicts
    assert "confirmed" in verdicts


@pytest.mark.parametrize("case", CLEAN, ids=lambda p: p.name)
def test_a_clean_run_adds_nothing(warm: Warm, here: Path, case: Program) -> None:
    assert apply(Report(files=1), recorded(warm, here, case.text)).findings == []


def test_a_file_that_is_no_record_is_one_line(here: Path) -> None:
    Path("bad.json").write_text('{"raised": null, "format": 1, "outcome": {"reason": "bored"}}')
    report = reconcile_file(Report(files=1), "bad.json")
    (error,) = report.errors
    assert error.message.startswith("bad.json is not a recorded run: `outcome.reason` is 'bored', not one of finished")


def test_records_are_checked_field_by_field(tmp_path: Path) -> None:
    good: dict[str, Any] = {"format": 1, "raised": None, "outcome": {"reason": "finished"}}
    assert record.parse(good, "x").outcome.reason == "finished"
    for change, said in [
        ({"format": 9}, "x has format 9, this secondpass reads 1: record it again"),
        ({"outcome": []}, "x is not a recorded run: `outcome` is not an object"),
        ({"turns": [{"path": "a", "line": "1"}]}, "x is not a recorded run: `turns[0].line` is '1', not int"),
        ({"growth": {}}, "x is not a recorded run: `growth` is not a list"),
        ({"raised": {"path": "a", "line": 1}}, "x is not a recorded run: `raised.kind` is missing"),
    ]:
        with pytest.raises(record.TraceError) as raised:
            record.parse({**good, **change}, "x")
        assert str(raised.value) == said
    for text, said in [(b"\xff", "not UTF-8 text"), (b"{", "not JSON (line 1)"), (b"[]", "write one with")]:
        (tmp_path / "x").write_bytes(text)
        with pytest.raises(record.TraceError, match=said.replace("(", r"\(").replace(")", r"\)")):
            record.load(tmp_path / "x")
    with pytest.raises(record.TraceError, match="cannot be read: No such file"):
        record.load(tmp_path / "gone")
