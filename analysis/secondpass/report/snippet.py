"""The picture of some source lines with labelled spans under them, laid out as rustc does.

    7 |     out, h = rnn(inp, h)
      |          -   ^^^^^^^^^^^ iteration 2 builds on iteration 1's graph here
      |          |
      |          iteration 1 builds `h` here

The label that reaches furthest right is written beside its mark; the others hang below, right to left, so that no two
meet. A span over several lines is drawn as a brace in lanes left of the code. Lines come back as styled pieces: what
prints them (plain, or with colour) is not decided here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from typing import NamedTuple

from .cells import Laid, cells
from .labels import Label
from .lines import SourceLines

Styled = list[tuple[str, str]]
"""One output line: pieces of text with the name of their style ("" is plain)."""

NARROWEST = 30
_SHOWN_INSIDE = 4
"""A multi-line span with more lines than this between its first and last shows only those two."""


class Mark(NamedTuple):
    """A label's stretch on one drawn line, in cells from 0, the end exclusive."""

    start: int
    end: int
    label: Label


class Snippet:
    """Draws the labels of one file (or one notebook cell)."""

    def __init__(self, labels: Sequence[Label], lines: SourceLines, gutter: int, width: int | None, style: str) -> None:
        self.lines = lines
        self.gutter = gutter
        self.width = width
        self.style = style
        self.single = [label for label in labels if last_line(label) == label.span.line]
        self.lanes = _lanes([label for label in labels if last_line(label) != label.span.line])
        self.margin = 2 * (max(self.lanes.values(), default=-1) + 1)
        self.path, self.cell = labels[0].span.path, labels[0].span.cell

    def draw(self) -> list[Styled]:
        out: list[Styled] = []
        before = 0
        for number in self._shown():
            if before and number == before + 2:
                out += self._line(before + 1)
            elif before and number > before + 2:
                out.append([("...".rjust(self.gutter + 2), "gutter"), (self._margin(before + 1), self._lane_style())])
            out += self._line(number)
            before = number
        return [_trimmed(line) for line in out]

    def _shown(self) -> list[int]:
        numbers = {label.span.line for label in self.single}
        for label in self.lanes:
            first, last = label.span.line, last_line(label)
            numbers |= {first, last} if last - first > _SHOWN_INSIDE + 1 else set(range(first, last + 1))
        return sorted(numbers)

    def _line(self, number: int) -> list[Styled]:
        """One source line with everything under it."""
        laid = Laid(self.lines(self.path, number, self.cell) or "")
        opening = [label for label in self.lanes if label.span.line == number]
        heads = {label for label in opening if laid.column(label.span.column) <= laid.indent}
        out: list[Styled] = [
            [
                (f"{number:>{self.gutter}} | ", "gutter"),
                (self._margin(number, heads), self._lane_style()),
                (laid.text, ""),
            ]
        ]
        out += [self._under(number, row) for row in self._marks(self._marks_of(laid, number))]
        for label in opening:
            if label not in heads:
                column = laid.column(label.span.column)
                out.append(self._brace(number, label, column, [], opening=True))
        for label in self.lanes:
            if last_line(label) == number:
                column = max(laid.column(_end_column(label, laid)) - 1, 0)
                out.append(self._brace(number, label, column, self._wrapped(label.text, column + 2), opening=False))
        return out

    def _marks_of(self, laid: Laid, number: int) -> list[Mark]:
        marks = []
        for label in self.single:
            if label.span.line == number:
                start = laid.column(label.span.column)
                end = laid.column(_end_column(label, laid))
                marks.append(Mark(start, max(end, start + 1), label))
        return marks

    def _marks(self, marks: list[Mark]) -> list[list[tuple[str, str]]]:
        """The rows under a source line: the underlines, then the labels that hang from them."""
        if not marks:
            return []
        under = Row()
        for mark in sorted(marks, key=lambda mark: mark.start - mark.end):
            sign = "^" if mark.label.primary else "-"
            under.put(mark.start, sign * (mark.end - mark.start), self._style(mark.label))
        hanging = sorted((mark for mark in marks if mark.label.text), key=lambda mark: (mark.end, mark.start))
        beside: list[str] = []
        if hanging and hanging[-1].end == max(mark.end for mark in marks):
            beside = self._beside(hanging[-1], alone=len(hanging) == 1)
        if beside:
            last = hanging.pop()
            under.put(last.end + 1, beside[0], self._style(last.label))
        rows = [under]
        for text in beside[1:]:
            rows.append(Row())
            rows[-1].put(last.end + 1, text, self._style(last.label))
        hanging.sort(key=lambda mark: -mark.start)
        if hanging:
            rows.append(self._threads(hanging))
        for index, mark in enumerate(hanging):
            for text in self._wrapped(mark.label.text, mark.start):
                row = self._threads([left for left in hanging[index + 1 :] if left.start < mark.start])
                row.put(mark.start, text, self._style(mark.label))
                rows.append(row)
        return [row.pieces() for row in rows]

    def _threads(self, marks: list[Mark]) -> Row:
        row = Row()
        for mark in marks:
            row.put(mark.start, "|", self._style(mark.label))
        return row

    def _beside(self, mark: Mark, alone: bool) -> list[str]:
        """The label's rows when it can stand right of its mark: in one row, or in several when nothing hangs below."""
        if self.width is None:
            return [mark.label.text]
        room = self.width - self._left() - mark.end - 1
        rows = wrap(mark.label.text, max(room, NARROWEST))
        return rows if (room >= NARROWEST and (alone or len(rows) == 1)) or cells(mark.label.text) <= room else []

    def _wrapped(self, text: str, start: int) -> list[str]:
        if self.width is None:
            return [text] if text else []
        return wrap(text, max(self.width - self._left() - start, NARROWEST))

    def _left(self) -> int:
        return self.gutter + 3 + self.margin

    def _margin(self, number: int, heads: Collection[Label] = ()) -> str:
        """The lanes beside line `number`: `/` where a brace starts, `|` inside it."""
        margin = [" "] * self.margin
        for label, lane in self.lanes.items():
            if label in heads:
                margin[2 * lane] = "/"
            elif label.span.line < number <= last_line(label):
                margin[2 * lane] = "|"
        return "".join(margin)

    def _under(self, number: int, row: list[tuple[str, str]]) -> Styled:
        """A row below line `number`: braces that opened on it or before it go on, unless they ended on it."""
        margin = [" "] * self.margin
        for label, lane in self.lanes.items():
            if label.span.line < number <= last_line(label) or (label.span.line == number and self._headed(label)):
                margin[2 * lane] = "|"
        return [(" " * self.gutter + " | ", "gutter"), ("".join(margin), self._lane_style()), *row]

    def _headed(self, label: Label) -> bool:
        laid = Laid(self.lines(self.path, label.span.line, self.cell) or "")
        return laid.column(label.span.column) <= laid.indent

    def _brace(self, number: int, label: Label, column: int, texts: list[str], opening: bool) -> Styled:
        """`|_____^ text` where a brace ends, ` _____^` where one opens in the middle of a line."""
        lane = 2 * self.lanes[label]
        margin = [" "] * self.margin
        for other, place in self.lanes.items():
            if other is not label and other.span.line < number < last_line(other):
                margin[2 * place] = "|"
        head = "".join(margin[:lane]) + (" " if opening else "|")
        line = "_" * (self.margin - lane - 1 + column) + ("^" if label.primary else "-")
        text = " " + " ".join(texts) if texts else ""
        return [(" " * self.gutter + " | ", "gutter"), (head + line + text, self._style(label))]

    def _style(self, label: Label) -> str:
        return self.style if label.primary else "secondary"

    def _lane_style(self) -> str:
        return self.style if any(label.primary for label in self.lanes) else "secondary"


class Row:
    """One output row on which texts are put at cells, later ones over earlier ones."""

    def __init__(self) -> None:
        self.cells: list[tuple[str, str]] = []

    def put(self, start: int, text: str, style: str) -> None:
        self.cells += [(" ", "")] * (start + len(text) - len(self.cells))
        self.cells[start : start + len(text)] = [(character, style) for character in text]

    def pieces(self) -> list[tuple[str, str]]:
        out: list[tuple[str, str]] = []
        for character, style in self.cells:
            if out and out[-1][1] == style:
                out[-1] = (out[-1][0] + character, style)
            else:
                out.append((character, style))
        return out


def wrap(text: str, width: int) -> list[str]:
    """Wrap prose; code in backticks is kept on one line where it can be."""
    kept = "\x00".join(
        part if index % 2 == 0 else part.replace(" ", "\x01") for index, part in enumerate(text.split("`"))
    )
    rows = textwrap.wrap(kept, width, break_long_words=False, break_on_hyphens=False)
    return [row.replace("\x00", "`").replace("\x01", " ") for row in rows]


def last_line(label: Label) -> int:
    """The last line a span has characters on: one that ends at column 1 ends on the line before."""
    span = label.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _end_column(label: Label, laid: Laid) -> int:
    span = label.span
    return len(laid.text) + 1 if last_line(label) != span.end_line else span.end_column


def _lanes(braces: list[Label]) -> dict[Label, int]:
    """Give each multi-line span a lane; the outermost, which starts first and ends last, stands leftmost."""
    lanes: dict[Label, int] = {}
    for label in sorted(braces, key=lambda label: (label.span.line, -last_line(label))):
        taken = {lane for other, lane in lanes.items() if last_line(other) >= label.span.line}
        lanes[label] = next(lane for lane in range(len(braces)) if lane not in taken)
    return lanes


def _trimmed(line: Styled) -> Styled:
    """The line without blanks at its end."""
    while line and not line[-1][0].strip():
        line = line[:-1]
    return [*line[:-1], (line[-1][0].rstrip(), line[-1][1])] if line else line
