"""Silence one finding by a comment on its statement, and take away a comment that silences nothing."""

from __future__ import annotations

import ast
import re

from ..findings import Finding, Fix
from ..source.source import Source
from .change import Change, edits
from .page import Page

COMMENT = re.compile(r"#\s*secondpass:\s*ignore(\[[^\]]*\])?")


def suppression(source: Source, finding: Finding) -> Fix | None:
    """The fix that silences this finding: a comment at the end of the statement's last line, or one code more in it.

    The comment stands where it covers the finding whatever the statement's shape: on the last line of a statement
    over several lines, on the header of a compound one. None where no comment can stand (inside a string).
    """
    first = source.joined_line(finding.span.cell, finding.span.line)
    last = source.joined_line(finding.span.cell, finding.span.end_line)
    page = Page(source)
    end = max(last, _last_line(page, first))
    for line in dict.fromkeys((first, last, end, *range(first, end))):
        if _open(page, line):
            continue
        change = _on_line(page, line, finding.rule)
        return Fix(
            "suppress",
            f"Silence {finding.rule} here (the finding is not told; nothing else changes)",
            "safe",
            False,
            edits(source, [change]),
        )
    return None


def _last_line(page: Page, line: int) -> int:
    """The last line of the statement that a line belongs to: of its header, if it holds others."""
    around = [n for n in page.places.nodes if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or 0)]
    if not around:
        return line
    statement = max(around, key=lambda n: n.lineno)
    body: list[ast.stmt] = getattr(statement, "body", [])
    last = body[0].lineno - 1 if body else statement.end_lineno or line
    return max(last, statement.lineno)


def _on_line(page: Page, line: int, code: str) -> Change:
    text = page.source.line(line)
    start = page.line_start(line)
    found = COMMENT.search(text)
    if found is not None:
        if found.group(1):
            at = start + found.end() - 1
            return Change(at, at, f", {code}" if found.group(1).strip("[] ") else code)
        return Change(start + found.end(), start + found.end(), f"[{code}]")
    bare = text.rstrip()
    comment = page.comment(line)
    if comment is not None:  # before what is there already, so that both are read
        return Change(start + comment, start + comment, f"# secondpass: ignore[{code}]  ")
    return Change(start + len(bare), start + len(bare), f"  # secondpass: ignore[{code}]")


def _open(page: Page, line: int) -> bool:
    """Whether a line ends inside a string or with a backslash, where no comment may stand."""
    return page.source.line(line).rstrip().endswith("\\") or page.in_string_at_end(line)


def unused(source: Source, finding: Finding) -> Fix | None:
    """For SP900: the comment without what silences nothing, or without the comment altogether."""
    span = finding.span
    line = source.joined_line(span.cell, span.line)
    text = source.line(line)
    start = source.table.offset(line, 1)
    found = COMMENT.search(text, max(0, span.column - 1)) or re.compile(r"#\s*secondpass:.*").search(text)
    if found is None:
        return None
    gone = _codes(finding.message)
    listed = [c.strip() for c in found.group(1).strip("[]").split(",")] if found.lastindex and found.group(1) else []
    kept = [code for code in listed if gone and code.upper() not in gone]
    if kept:
        change = Change(start + found.start(1), start + found.end(1), f"[{', '.join(kept)}]")
    else:
        after = text[found.end() :]
        reason_ends = after.find("#")
        end = len(text) if reason_ends < 0 else found.end() + reason_ends
        before = text[: found.start()].rstrip()
        if not before and reason_ends < 0:
            stop = source.table.offset(line + 1, 1) if line < len(source.table.lines) else start + len(text)
            change = Change(start, stop, "")
        else:
            lead = "  " if before and reason_ends >= 0 else ""
            change = Change(start + len(before), start + end, lead)
    title = "Remove the suppression, it silences nothing" if not kept else "Remove the codes that silence nothing"
    return Fix("remove-suppression", title, "safe", True, edits(source, [change]))


def _codes(message: str) -> set[str]:
    return set(re.findall(r"SP\w+|[A-Z]+(?:-[A-Z]+)+", message))
