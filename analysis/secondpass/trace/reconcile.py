"""Sets a report against a recorded run: each finding is confirmed, contradicted or not reached, and why.

A run proves what it did and nothing about what it did not do. A finding is confirmed when the run raised what it tells,
where it tells it. It is contradicted only when the run passed every place of its story, went on past the iteration in
which it should have raised, and ended well. Everything else is not reached, with the reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from ..findings import Finding, RaisesAt, Report, Role, Severity, Span, TraceVerdict
from ..findings import Step as Told
from ..report.lines import lines_of
from .record import Carrier, Growth, Place, Raised, Trace, TraceError, load

IN_PLACE = {"SP203"}
RAISES = {"SP101", "SP102", "SP103", "SP104", "SP105", "SP106", "SP107", "SP108", "SP203"}
GROWS = {"SP201", "SP301", "SP302"}
OTHER = {"SP205": "donated buffer"}
"""Rules of which a run shows another exception, by a word of its message."""


def reconcile_file(report: Report, trace: str | Path) -> Report:
    """`apply` with the run recorded in a file; a file that is none is one more error in the report."""
    from ..findings import FileError

    try:
        return apply(report, load(trace))
    except TraceError as error:
        return dataclasses.replace(report, errors=[*report.errors, FileError(str(trace), 0, str(error))])


def apply(report: Report, trace: Trace) -> Report:
    """The report with a verdict on each finding that a run can judge, and with what only the run saw (SP401, SP402)."""
    paths = _Paths(trace.cwd, report)
    judged = [_judged(finding, trace, paths) for finding in report.findings]
    return dataclasses.replace(report, findings=[*judged, *_unseen(judged, trace, paths)])


def findings_of(trace: Trace) -> list[Finding]:
    """What the run alone tells, as findings: SP401 for each of the errors, SP402 for what grew call by call."""
    paths = _Paths(trace.cwd, Report())
    return list(_unseen([], trace, paths))


class _Paths:
    """The recorder's paths and the report's name the same files differently; the report's names are kept."""

    def __init__(self, cwd: str, report: Report) -> None:
        self._cwd = Path(cwd or ".")
        names = {span.path for f in report.findings for span in (f.span, *(step.span for step in f.witness))}
        self._names = {Path(name).resolve(): name for name in sorted(names)}

    def told(self, path: str) -> str:
        full = (self._cwd / path).resolve()
        if full in self._names:
            return self._names[full]
        here = Path.cwd()
        return full.relative_to(here).as_posix() if full.is_relative_to(here) else str(full)

    def same(self, recorded: str, told: str) -> bool:
        return (self._cwd / recorded).resolve() == Path(told).resolve()


def _judged(finding: Finding, trace: Trace, paths: _Paths) -> Finding:
    verdict = _verdict(finding, trace, paths)
    return finding if verdict is None else finding.with_trace(verdict)


def _verdict(finding: Finding, trace: Trace, paths: _Paths) -> TraceVerdict | None:
    if finding.rule in OTHER:
        for error in trace.other_errors:
            if OTHER[finding.rule] in error.message and _near(finding, error, paths):
                return TraceVerdict("confirmed", error.iteration, "PyTorch refused it")
        return None
    if finding.rule in RAISES:
        return _on_raising(finding, trace, paths)
    if finding.rule in GROWS:
        return _on_growth(finding, trace, paths)
    return None


# -- the two errors ---------------------------------------------------------------------------------------------------


def _on_raising(finding: Finding, trace: Trace, paths: _Paths) -> TraceVerdict:
    kind = "inplace-version" if finding.rule in IN_PLACE else "second-time"
    for error in trace.errors or ((trace.raised,) if trace.raised else ()):
        if error.kind == kind and tells(finding, error, paths):
            rank = f"on rank {error.rank}" if error.rank is not None else ""
            return TraceVerdict("confirmed", error.iteration, rank)
    reason = _why_not_reached(finding, trace, paths)
    return TraceVerdict("not-reached", None, reason) if reason else TraceVerdict("contradicted", None, "")


def tells(finding: Finding, error: Raised, paths: _Paths) -> bool:
    """Whether a finding and an error of the run are the same event: they raise on one line, or on two lines of one
    call chain and share what was built or consumed."""
    at = finding.raises_at
    if at is None:
        return _near(finding, error, paths)
    raised: list[Place] = [error, *error.chain]
    if any(paths.same(p.path, at.path) and p.line == at.line and p.cell == at.cell for p in raised):
        return True
    story = [step.span for step in finding.witness if step.role in ("built", "consumed", "retained", "stepped")]
    shared = [p for p in (*error.built, *error.consumed) if any(_on(p, span, paths) for span in story)]
    walked = [step.span for step in finding.witness if step.role == "walked-again"]
    return bool(shared) and any(_on(p, span, paths) for p in raised for span in walked)


def _near(finding: Finding, place: Place, paths: _Paths) -> bool:
    spans = [finding.span, *(step.span for step in finding.witness)]
    return any(_on(place, span, paths) for span in spans)


def _on(place: Place, span: Span, paths: _Paths) -> bool:
    if place.cell != span.cell or not paths.same(place.path, span.path):
        return False
    return place.line <= span.end_line and span.line <= max(place.line, place.end_line)


def _why_not_reached(finding: Finding, trace: Trace, paths: _Paths) -> str:
    """Why the run says nothing about the finding; empty when it went all the way and did not raise."""
    at = finding.raises_at or RaisesAt(finding.span.path, finding.span.line, 2, finding.span.cell)
    lines = _executed(trace, at.path, at.cell, paths)
    if lines is None:
        return f"the run did not import {at.path}"
    walks = [b for b in trace.backwards if paths.same(b.path, at.path) and b.line == at.line and b.cell == at.cell]
    if not walks and not lines & set(range(finding.span.line, at.line + 1)):
        return f"line {at.line} did not run" + _ending(trace)
    if not walks:
        return f"no backward call was seen on line {at.line}" + _ending(trace)
    for step in finding.witness:
        where = _executed(trace, step.span.path, step.span.cell, paths)
        if where is not None and not where & set(range(step.span.line - 1, step.span.end_line + 1)):
            return f"line {step.span.line} did not run" + _ending(trace)
    iterations = max(max((b.iteration for b in walks), default=0), len(walks))
    if iterations <= at.iteration:
        return f"the run made {iterations} of the iterations it needs" + _ending(trace)
    if trace.raised is not None:
        return f"the run raised at {trace.raised.path}:{trace.raised.line} first"
    if trace.outcome.reason in ("killed", "raised", "no-torch", "refused") or trace.outcome.exit_code not in (0, None):
        return "the run failed otherwise" + _ending(trace)
    if any(finding.assumptions):
        return "the run went another way than it assumes"
    return ""


def _executed(trace: Trace, path: str, cell: int | None, paths: _Paths) -> set[int] | None:
    """The lines of a file on which statements began; None if it was not run at all."""
    rows = [row for row in trace.executed if row.cell == cell and paths.same(row.path, path)]
    return {line for row in rows for line in row.lines} if rows else None


def _ending(trace: Trace) -> str:
    if trace.raised is not None:
        return f": the run raised at {trace.raised.path}:{trace.raised.line}"
    return f": {trace.outcome.note}" if trace.outcome.note else ""


# -- growth -----------------------------------------------------------------------------------------------------------


def _on_growth(finding: Finding, trace: Trace, paths: _Paths) -> TraceVerdict | None:
    for row in trace.growth:
        if _is_growth_of(finding, row, paths):
            return TraceVerdict("confirmed", len(row.nodes), f"{row.nodes[0]}, then up to {max(row.nodes)} nodes")
    lines = _executed(trace, finding.span.path, finding.span.cell, paths)
    if lines is None:
        return TraceVerdict("not-reached", None, f"the run did not import {finding.span.path}")
    if not lines & set(range(finding.span.line, finding.span.end_line + 1)):
        return TraceVerdict("not-reached", None, f"line {finding.span.line} did not run" + _ending(trace))
    return TraceVerdict("not-reached", None, "the run was too short, or walked nothing while it grew" + _ending(trace))


def _is_growth_of(finding: Finding, row: Growth, paths: _Paths) -> bool:
    subject = finding.subject.split("[")[0]
    tail = subject.rsplit(".", 1)[-1]
    if row.kind == "held" and tail and row.name.split("[")[0].rsplit(".", 1)[-1] == tail:
        return True
    if row.kind == "held" and any(_near(finding, place, paths) for place in row.built):
        return True
    walks = [step.span for step in finding.witness if step.role in ("retained", "walked-again", "consumed")]
    here = Place(path=row.path, line=row.line, cell=row.cell)
    return row.kind == "walked" and any(_on(here, span, paths) for span in walks)


# -- what only the run saw --------------------------------------------------------------------------------------------


def _unseen(judged: list[Finding], trace: Trace, paths: _Paths) -> Iterator[Finding]:
    told: set[tuple[str, str, int]] = set()
    for error in trace.errors or ((trace.raised,) if trace.raised else ()):
        key = (error.kind, error.path, error.line)
        known = any(f.trace and f.trace.verdict == "confirmed" and tells(f, error, paths) for f in judged)
        if not known and key not in told:
            told.add(key)
            yield _second_backward(error, paths)
    told_growth = [row for row in trace.growth if row.steady and not any(_is_growth_of(f, row, paths) for f in judged)]
    for row in _causes(told_growth):
        if not any(_same_story(row, f, paths) for f in judged):
            yield _growth(row, paths)


def _causes(rows: list[Growth]) -> list[Growth]:
    """Of what grew by the same steps the smallest: a loss holds all that the state behind it holds, and a little."""
    causes: dict[object, Growth] = {}
    for row in sorted(rows, key=lambda row: (row.nodes[-1], row.kind)):
        steps = tuple(after - before for before, after in pairwise(row.nodes))
        if not any(row.name == other.name and row.path == other.path for other in causes.values()):
            causes.setdefault(steps[1:] or steps, row)
    return list(causes.values())


def _same_story(row: Growth, finding: Finding, paths: _Paths) -> bool:
    """Growth is part of the story of an error that was told."""
    here = Place(path=row.path, line=row.line, cell=row.cell)
    return finding.rule in RAISES and finding.trace is not None and _near(finding, here, paths)


def _span(place: Place | Carrier | Growth, paths: _Paths) -> Span:
    """The statement at a place, on its first line, from its first character to its last."""
    path = paths.told(place.path)
    text = _line(path, place.line, place.cell) or getattr(place, "text", "")
    column = len(text) - len(text.lstrip()) + 1
    return Span(path, place.line, column, place.line, max(len(text.rstrip()), column) + 1, place.cell)


def _line(path: str, line: int, cell: int | None) -> str:
    return lines_of()(path, line, cell) or ""


def _second_backward(error: Raised, paths: _Paths) -> Finding:
    names = list(dict.fromkeys(carrier.name for carrier in error.carried))
    subject = names[0] if names else ""
    steps: list[Told] = []

    def step(role: Role, place: Place, text: str) -> None:
        steps.append(Told(role, _span(place, paths), place.iteration, text))

    places = {(place.path, place.cell, place.line): place for place in reversed(error.built[:3])}
    for place in reversed(places.values()):
        carried = f", and `{subject}` keeps it" if subject and place is error.built[0] else ""
        step("built", place, f"iteration {place.iteration} builds the graph here{carried}")
    if error.kind == "inplace-version":
        what = next((s.parameter for s in error.stepped if s.parameter), None)
        for stepped in error.stepped[:1]:
            step("stepped", stepped, f"this changes {f'`{what}`' if what else 'what the graph saved'}")
    else:
        for place in error.consumed[:1]:
            step("consumed", place, f"iteration {place.iteration} consumes that graph here")
    ends = "walks into it and raises" if error.kind == "second-time" else "needs what was saved and raises"
    step("walked-again", error, f"iteration {error.iteration} {ends}")
    first = error.consumed[0] if error.consumed else None
    where = f"line {first.line}" if first else "an earlier call"
    if error.kind == "inplace-version":
        message = f"in this run, what the graph had saved was changed on {where} before it was walked"
    else:
        by = f"`{subject}` brought in" if subject else "this walked"
        when = first.iteration if first else 1
        message = f"in this run, {by} a graph that {where} had already consumed in iteration {when}"
    return Finding(
        rule="SP401",
        name="traced-second-backward",
        severity=Severity.ERROR,
        span=_span(error, paths),
        message=message,
        raises_at=RaisesAt(paths.told(error.path), error.line, error.iteration, error.cell),
        witness=tuple(steps),
        loop=_span(Place(path=error.loop.path, line=error.loop.line, cell=error.loop.cell), paths)
        if error.loop
        else None,
        subject=subject,
        trace=TraceVerdict("confirmed", error.iteration, f"on rank {error.rank}" if error.rank is not None else ""),
    )


def _growth(row: Growth, paths: _Paths) -> Finding:
    home = row.built[0] if row.built else Place(path=row.path, line=row.line, cell=row.cell)
    steps = [Told("carried", _span(home, paths), home.iteration, "this graph is kept")]
    what = f"`{row.name}` kept" if row.kind == "held" else "backward walked"
    counts = f"{row.nodes[0]} nodes at its call {row.calls[0]} and {row.nodes[-1]} at call {row.calls[-1]}"
    return Finding(
        rule="SP402",
        name="traced-growth",
        severity=Severity.WARNING,
        span=_span(home, paths),
        message=f"in this run, {what} more of earlier iterations with each backward call: {counts}",
        witness=tuple(steps),
        subject=row.name,
        trace=TraceVerdict("confirmed", None, ""),
    )
