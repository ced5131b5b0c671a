"""A fix shown as the lines it removes and adds, with their numbers."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ..findings import Edit, Fix
from .lines import SourceLines, split


@dataclass(frozen=True, slots=True)
class Change:
    """One line a fix removes (numbered in the old text) or adds (numbered in the new one)."""

    path: str
    cell: int | None
    number: int
    sign: str
    text: str


def changes(fix: Fix, lines: SourceLines) -> list[list[Change]]:
    """The changed lines of a fix in runs that stand together, file by file, top to bottom."""
    runs: list[list[Change]] = []
    edits = sorted(fix.edits, key=lambda edit: (edit.span.path, _cell(edit), edit.span.line, edit.span.column))
    for (path, cell), group in groupby(edits, key=lambda edit: (edit.span.path, edit.span.cell)):
        shift = 0
        for block in _blocks(list(group)):
            run, grown = _change(path, cell, block, lines, shift)
            shift += grown
            if run:
                runs.append(run)
    return runs


def _cell(edit: Edit) -> int:
    return -1 if edit.span.cell is None else edit.span.cell


def _blocks(edits: list[Edit]) -> Iterator[list[Edit]]:
    """Edits whose lines touch are shown, and applied, together."""
    block: list[Edit] = []
    for edit in edits:
        if block and edit.span.line > max(e.span.end_line for e in block):
            yield block
            block = []
        block.append(edit)
    if block:
        yield block


def _change(path: str, cell: int | None, block: list[Edit], lines: SourceLines, shift: int) -> tuple[list[Change], int]:
    first = block[0].span.line
    old = [lines(path, number, cell) or "" for number in range(first, max(e.span.end_line for e in block) + 1)]
    new = split(_applied("\n".join(old), first, block))
    run: list[Change] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if kind != "equal":
            run += [Change(path, cell, first + index, "-", old[index]) for index in range(a, b)]
            run += [Change(path, cell, first + shift + index, "+", new[index]) for index in range(c, d)]
    return run, len(new) - len(old)


def _applied(text: str, first: int, edits: list[Edit]) -> str:
    """The text, which starts on line `first`, with edits made from the last to the first."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for edit in reversed(edits):
        start = starts[edit.span.line - first] + edit.span.column - 1
        end = starts[edit.span.end_line - first] + edit.span.end_column - 1
        text = text[:start] + edit.text + text[end:]
    return text
