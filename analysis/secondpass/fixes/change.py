"""Changes to a text by offset: applying them, and telling them as edits by line, column and cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..findings import Edit

if TYPE_CHECKING:
    from ..source.source import Source


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """Replace characters `start` to `end` (exclusive, from 0) of a text; an insertion has both the same."""

    start: int
    end: int
    text: str


class Unplaceable(Exception):
    """A change cannot be made at this place of the text."""


class Conflict(ValueError):
    """Two changes of one text meet."""


def ordered(changes: Iterable[Change]) -> list[Change]:
    """Changes from first to last, equal ones once; insertions at one place keep the order they were given in."""
    found = sorted(dict.fromkeys(changes), key=lambda change: (change.start, change.end))
    for before, after in pairwise(found):
        if after.start < before.end:
            raise Conflict(f"changes at {before.start} and {after.start} meet")
    return found


def applied(text: str, changes: Iterable[Change]) -> str:
    """The text after all changes; raises `Conflict` if some of them meet."""
    pieces: list[str] = []
    done = 0
    for change in ordered(changes):
        pieces += (text[done : change.start], change.text)
        done = change.end
    return "".join((*pieces, text[done:]))


def edits(source: Source, changes: Iterable[Change]) -> tuple[Edit, ...]:
    """The same changes as edits of the file (of the notebook's cells)."""
    told: list[Edit] = []
    for change in ordered(smallest(source.text, change) for change in changes):
        start = source.table.position(change.start)
        end = source.table.position(change.end)
        told.append(Edit(source.place(*start, *end), change.text))
    return tuple(told)


def smallest(text: str, change: Change) -> Change:
    """The change without what it would replace by the same: common characters at its two ends."""
    old, new = text[change.start : change.end], change.text
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Change(change.start + head, change.end - tail, new[head : len(new) - tail])
