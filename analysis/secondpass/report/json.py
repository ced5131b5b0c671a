"""The machine-readable report, version 1. Its keys are a contract: new ones may be added, none changed or removed.

Lines and columns count from 1, columns in characters, ends are exclusive. In a notebook `cell` counts from 0.
"""

from __future__ import annotations

import json
from typing import Any

from ..findings import Edit, FileError, Finding, Fix, RaisesAt, Report, Step

VERSION = 1


def render(report: Report, *, verbose: bool = False) -> str:
    return json.dumps(document(report, verbose=verbose), indent=1) + "\n"


def document(report: Report, *, verbose: bool = False) -> dict[str, Any]:
    """The report as plain JSON values; with `verbose`, also what was cut short, under `notes`."""
    out: dict[str, Any] = {
        "version": VERSION,
        "files": report.files,
        "errors": [_error(error) for error in report.errors],
        "findings": [finding_document(finding) for finding in report.findings],
        "coverage": coverage_document(report),
    }
    if verbose:
        out["notes"] = [_error(note) for note in report.notes]
    return out


def coverage_document(report: Report) -> dict[str, Any]:
    """How many backward calls there are and were followed, and where and why the others were not."""
    lost = [(at, why) for at, why in report.backwards.items() if why]
    return {
        "backward_calls": len(report.backwards),
        "followed": len(report.backwards) - len(lost),
        "lost": [{"path": at.path, "line": at.line, "cell": at.cell, "why": why} for at, why in lost],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    span = finding.span
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "path": span.path,
        "cell": span.cell,
        "range": {
            "start": {"line": span.line, "column": span.column},
            "end": {"line": span.end_line, "column": span.end_column},
        },
        "message": finding.message,
        "help": finding.help,
        "assumptions": list(finding.assumptions),
        "raises_at": _raises_at(finding.raises_at),
        "witness": [_step(step) for step in finding.witness],
        "fixes": [_fix(fix) for fix in finding.fixes],
        "trace": None
        if finding.trace is None
        else {"verdict": finding.trace.verdict, "turn": finding.trace.iteration, "note": finding.trace.note},
    }


def _error(error: FileError) -> dict[str, Any]:
    out: dict[str, Any] = {"path": error.path, "line": error.line, "message": error.message}
    return out if error.cell is None else {**out, "cell": error.cell}


def _raises_at(at: RaisesAt | None) -> dict[str, Any] | None:
    return None if at is None else {"path": at.path, "line": at.line, "turn": at.iteration, "cell": at.cell}


def _step(step: Step) -> dict[str, Any]:
    span = step.span
    return {
        "role": step.role,
        "path": span.path,
        "cell": span.cell,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "turn": step.iteration,
        "text": step.text,
    }


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "id": fix.id,
        "title": fix.title,
        "safety": fix.safety,
        "preferred": fix.preferred,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    span = edit.span
    return {
        "path": span.path,
        "cell": span.cell,
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
        "text": edit.text,
    }
