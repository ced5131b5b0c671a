"""Reports as plain lists and back, for the index on disk. Fixes and verdicts of recorded runs are not part of them."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from secondpass.findings import Backward, FileError, Finding, RaisesAt, Report, Severity, Span, Step


def packed(report: Report) -> Any:
    """A report as JSON can hold it; 0 for one of a file of which there is nothing to tell, as most are."""
    if (
        not (report.findings or report.errors or report.notes or report.walked or report.backwards)
        and report.files == 1
    ):
        return 0
    return [
        report.files,
        [_packed(finding) for finding in report.findings],
        [astuple(error) for error in report.errors],
        [astuple(note) for note in report.notes],
        sorted(report.walked),
        [[*astuple(at), why] for at, why in report.backwards.items()],
        sorted(report.unread),
    ]


def unpacked(kept: Any) -> Report:
    if kept == 0:
        return Report(files=1)
    files, findings, errors, notes, walked, backwards, unread = kept
    return Report(
        files,
        [_finding(*finding) for finding in findings],
        [FileError(*error) for error in errors],
        [FileError(*note) for note in notes],
        {(path, line) for path, line in walked},
        set(unread),
        {Backward(path, line, cell): why for path, line, cell, why in backwards},
    )


def _packed(f: Finding) -> Any:
    assert not f.fixes and f.trace is None
    return [
        [f.rule, f.name, f.severity.value, astuple(f.span), f.message, f.help],
        f.assumptions,
        f.raises_at and astuple(f.raises_at),
        [astuple(step) for step in f.witness],
        f.loop and astuple(f.loop),
        [f.subject, f.entry],
    ]


def _finding(words: Any, assumptions: Any, raises_at: Any, witness: Any, loop: Any, rest: Any) -> Finding:
    rule, name, severity, span, message, help_ = words
    return Finding(
        rule,
        name,
        Severity(severity),
        Span(*span),
        message,
        help_,
        tuple(assumptions),
        RaisesAt(*raises_at) if raises_at else None,
        tuple(Step(role, Span(*at), iteration, text) for role, at, iteration, text in witness),
        Span(*loop) if loop else None,
        *rest,
    )
