"""One line a finding, as editors and grep like it: `path:line:column: CODE severity message`."""

from __future__ import annotations

from ..findings import Report
from .cells import one_line
from .text import place


def render(report: Report, *, verbose: bool = False) -> str:
    out = []
    for finding in report.findings:
        span = finding.span
        at = place(span.path, span.line, span.column, span.cell)
        out.append(f"{at}: {finding.rule} {finding.severity.value} {finding.message}")
    for error in report.errors:
        out.append(f"{place(error.path, error.line, 1, error.cell)}: error {error.message}")
    if verbose:
        out += [f"{place(note.path, note.line, 1, note.cell)}: note {note.message}" for note in report.notes]
    return "".join(f"{one_line(line)}\n" for line in out)
