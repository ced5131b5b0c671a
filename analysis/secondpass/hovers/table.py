"""The hovers of one text, packed: an editor keeps those of every open file, and asks for few of them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from secondpass.findings import Span

Row = tuple[int | None, int, int, int, int, str, int, int, int, int, str]
"""Cell, where one can point (line, column, end line, end column), then the path and the place told of, and the text."""


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown whose first line stands alone, and the place it is about."""

    markdown: str
    span: Span
    pointed: Span
    """Where one points to ask for it: of `self.cell.weight` only `weight`."""


class Hovers:
    """Finds the hover of a place, the narrowest where there are more."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self._rows: list[Row] | None = None

    @classmethod
    def of(cls, hovers: Iterable[Hover]) -> Hovers:
        rows = [
            (
                *(one.pointed.cell, one.pointed.line, one.pointed.column, one.pointed.end_line, one.pointed.end_column),
                *(one.span.path, one.span.line, one.span.column, one.span.end_line, one.span.end_column),
                one.markdown,
            )
            for one in hovers
        ]
        return cls(zlib.compress(json.dumps(rows).encode(), 1))

    def at(self, line: int, column: int, cell: int | None = None) -> Hover | None:
        """What stands at a place (from 1, in characters; in a notebook within its cell), or None."""
        if self._rows is None:
            self._rows = [tuple(row) for row in json.loads(zlib.decompress(self.packed))]
        here = [row for row in self._rows if row[0] == cell and row[1:3] <= (line, column) <= row[3:5]]
        best = min(here, key=lambda row: (row[3] - row[1], row[4] - row[2]), default=None)
        if best is None:
            return None
        return Hover(best[10], Span(best[5], *best[6:10], cell=best[0]), Span(best[5], *best[1:5], cell=best[0]))

    def rest(self) -> None:
        """Nobody asks any more: keep the packed form only."""
        self._rows = None

    def __reduce__(self) -> tuple[type[Hovers], tuple[bytes]]:
        return Hovers, (self.packed,)


NOTHING = Hovers.of(())
