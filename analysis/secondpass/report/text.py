"""Findings as people read them in a terminal: the message, the source with its story, the fix, where to learn more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ..findings import FileError, Finding, Report, Severity, Span
from .cells import Laid, one_line
from .labels import Label, labels
from .lines import SourceLines
from .preview import changes
from .snippet import NARROWEST, Snippet, Styled, last_line, wrap


def place(path: str, line: int, column: int | None = None, cell: int | None = None) -> str:
    """`train.py:7:14`; in a notebook `train.ipynb:cell 3:7:14`, cells counted from 1 as people count."""
    parts = [path, *([f"cell {cell + 1}"] if cell is not None else []), str(line)]
    return ":".join([*parts, str(column)] if column is not None else parts)


def render(
    report: Report, lines: SourceLines, *, width: int | None = None, verbose: bool = False, quiet: bool = False
) -> list[Styled]:
    """The whole report as styled lines; `width` in terminal cells wraps prose and labels, None leaves them long.

    With `quiet` there is nothing about what was checked and followed.
    """
    out: list[Styled] = []
    for finding in report.findings:
        out += [*render_finding(finding, lines, width=width), []]
    for error in report.errors:
        out.append([("error", "error"), (f": {_told(error)}", "")])
    if verbose:
        for note in report.notes:
            out.append([("note", "information"), (f": {_told(note)}", "")])
    if quiet:
        return out
    out.append(_summary(report))
    out += _coverage(report, verbose)
    return out


def render_finding(finding: Finding, lines: SourceLines, *, width: int | None = None) -> list[Styled]:
    """One finding, without a blank line after it."""
    style = finding.severity.value
    groups = _by_file(labels(finding, lines), finding.span)
    numbers = [last_line(label) for _, group in groups for label in group]
    fix = next((fix for fix in finding.fixes if fix.preferred), finding.fixes[0] if finding.fixes else None)
    runs = changes(fix, lines) if fix else []
    numbers += [change.number for run in runs for change in run]
    gutter = len(str(max(numbers, default=1)))
    blank: Styled = [(" " * gutter + " |", "gutter")]

    head = f"{style}[{finding.rule}]"
    rows = _wrapped(finding.message, width, len(head) + 2)
    out: list[Styled] = [[(head, style), (": ", "bold"), (rows[0], "bold")]]
    out += [[(" " * (len(head) + 2) + row, "bold")] for row in rows[1:]]
    unseen: list[Label] = []
    for index, (at, group) in enumerate(groups):
        arrow = "-->" if index == 0 else ":::"
        if index:
            out.append(blank)
        out.append(
            [(" " * gutter + arrow, "gutter"), (f" {one_line(place(at.path, at.line, at.column, at.cell))}", "")]
        )
        seen = [label for label in group if lines(at.path, label.span.line, at.cell) is not None]
        unseen += [label for label in group if label not in seen and label.text]
        if seen:
            out += [blank, *Snippet(seen, lines, gutter, width, style).draw()]
    out.append(blank)
    for label in unseen:
        at = label.span
        out += _note(gutter, "note", f"{label.text} ({place(at.path, at.line, at.column, at.cell)})", width)

    help_text = finding.help or (_lower(fix.title) if fix else "")
    if help_text:
        out += _note(gutter, "help", help_text, width)
    for run in runs:
        out.append(blank)
        if (run[0].path, run[0].cell) != (finding.span.path, finding.span.cell):
            out.append(
                [(" " * gutter + ":::", "gutter"), (f" {place(run[0].path, run[0].number, None, run[0].cell)}", "")]
            )
        for change in run:
            sign_style = "add" if change.sign == "+" else "remove"
            text = Laid(change.text).text
            out.append([(f"{change.number:>{gutter}} ", "gutter"), (f"{change.sign} {text}".rstrip(), sign_style)])
    if runs:
        out.append(blank)
    for other in finding.fixes:
        if other is not fix:
            out += _note(gutter, "or", _lower(other.title), width)
    for assumption in finding.assumptions:
        text = assumption if assumption.startswith("assuming") else f"assuming {assumption}"
        out += _note(gutter, "note", text, width)
    for text in _trace(finding):
        out += _note(gutter, "note", text, width)
    out += _note(gutter, "", f"secondpass explain {finding.rule}", None)
    return out


def plain(lines: list[Styled]) -> str:
    """Styled lines as plain text, each ended by a newline."""
    return "".join("".join(text for text, _ in line) + "\n" for line in lines)


def _by_file(marks: list[Label], home: Span) -> list[tuple[Span, list[Label]]]:
    """Labels grouped by file or cell, the finding's own first."""

    def key(label: Label) -> tuple[bool, str, int]:
        span = label.span
        elsewhere = (span.path, span.cell) != (home.path, home.cell)
        return (elsewhere, span.path, -1 if span.cell is None else span.cell)

    groups = [list(group) for _, group in groupby(sorted(marks, key=key), key=key)]
    return [(home if index == 0 else group[0].span, group) for index, group in enumerate(groups)]


def _note(gutter: int, word: str, text: str, width: int | None) -> list[Styled]:
    """`= help: text`, its further lines aligned under the first."""
    lead = f"{word}: " if word else ""
    indent = gutter + 3 + len(lead)
    rows = _wrapped(text, width, indent)
    first: Styled = [(" " * (gutter + 1) + "= ", "gutter"), (lead, "bold"), (rows[0], "")]
    return [first, *([(" " * indent + row, "")] for row in rows[1:])]


def _wrapped(text: str, width: int | None, indent: int) -> list[str]:
    safe = one_line(text)
    return (width and wrap(safe, max(width - indent, NARROWEST))) or [safe]


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


def _trace(finding: Finding) -> Iterator[str]:
    trace = finding.trace
    if trace is None:
        return
    said = {
        "confirmed": "a traced run confirmed this" + (f" in iteration {trace.iteration}" if trace.iteration else ""),
        "contradicted": "a traced run passed here and did not raise",
        "not-reached": "the traced run did not come here",
    }[trace.verdict]
    yield f"{said}: {trace.note}" if trace.note else said


def _told(error: FileError) -> str:
    at = place(error.path, error.line, None, error.cell) if error.line else error.path
    return one_line(f"{at}: {error.message}")


def _summary(report: Report) -> Styled:
    files = _count(report.files, "file")
    unread = f", {_count(len(report.errors), 'problem')} reading" if report.errors else ""
    if not report.findings:
        return [(f"{files} checked, nothing found{unread}", "good" if report.files and not report.errors else "")]
    counts = [
        _count(sum(finding.severity is severity for finding in report.findings), word)
        for severity, word in zip(Severity, ("error", "warning", "note", "hint"), strict=True)
        if any(finding.severity is severity for finding in report.findings)
    ]
    preferred = [fix for finding in report.findings for fix in finding.fixes if fix.preferred]
    safe = sum(fix.safety == "safe" for fix in preferred)
    fixes = f"; {_count(len(preferred), 'fix', 'fixes')}: {_how(safe, len(preferred) - safe)}" if preferred else ""
    return [(f"{files} checked: {', '.join(counts)}{unread}{fixes}", "bold")]


LOST = 3
"""So many backward calls that were not followed are named; all of them with --verbose."""


def _coverage(report: Report, verbose: bool) -> list[Styled]:
    """How many backward calls were followed; nothing where there are none, or where findings tell of all."""
    lost = [(at, why) for at, why in report.backwards.items() if why]
    if not report.backwards or (report.findings and not lost and not verbose):
        return []
    calls = _count(len(report.backwards), "backward call")
    followed = len(report.backwards) - len(lost)
    out: list[Styled] = [[(f"followed {followed} of {calls}", "")]]
    for at, why in lost if verbose else lost[:LOST]:
        out.append([(f"  {one_line(place(at.path, at.line, None, at.cell))}: {why}", "")])
    if len(lost) > LOST and not verbose:
        out.append([(f"  and {len(lost) - LOST} more (--verbose)", "")])
    if lost:
        out.append([("  `secondpass trace SCRIPT` would show what they do", "")])
    return out


def _how(safe: int, unsafe: int) -> str:
    """With which command how many fixes are applied."""
    ways = [f"{safe} by `secondpass fix`"] if safe else []
    return ", ".join([*ways, *([f"{unsafe} by `secondpass fix --unsafe`"] if unsafe else [])])


def _count(number: int, word: str, several: str = "") -> str:
    return f"{number} {word if number == 1 else several or word + 's'}"
