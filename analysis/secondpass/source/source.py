"""One file's text as a syntax tree, and the way back from the tree to places in the text.

A valid file costs one `ast.parse` and next to nothing more: lines, columns and suppressions are looked at when asked
for. A file with broken syntax loses the broken statements only (`recovery`), each told in `Source.problems`.
What cannot be analysed at all (Python 2, binary, too large, nested too deep) is a `SourceError`.
"""

from __future__ import annotations

import ast
import threading
import warnings
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..findings import FileError, Span
from .errors import SourceError
from .outline import Outline
from .positions import LONE_SURROGATE, LineTable
from .suppress import MARK, Suppressions

MAX_SIZE = 10_000_000
"""Bytes (of a file) or characters (of a text) beyond which a file is taken for generated and not analysed."""

_warnings_are_global = threading.Lock()


@dataclass(frozen=True, slots=True)
class Cell:
    """One code cell of a notebook; its lines are lines `first` and following of the notebook's joined text."""

    index: int
    """The cell's place among all cells of the notebook, markdown included, from 0."""
    first: int
    """The line (from 1) of the joined text at which the cell starts."""
    text: str


class Source:
    """One file's text, parsed.

    `text` is the whole text without a byte order mark (a notebook's code cells joined in order); `tree` holds what of
    it could be parsed, at its true positions; `problems` tells what could not, one line each.
    """

    def __init__(
        self,
        path: str,
        text: str,
        tree: ast.Module,
        problems: tuple[FileError, ...] = (),
        *,
        lost: tuple[tuple[int, int], ...] = (),
        cells: tuple[Cell, ...] | None = None,
        encoding: str = "utf-8",
    ) -> None:
        self.path = path
        self.text = text
        self.tree = tree
        self.problems = problems
        self.lost = lost
        """First and last line of each stretch left out of `tree` because its syntax is broken."""
        self.cells = cells
        """The code cells of a notebook; None for an ordinary file."""
        self.encoding = encoding
        """The encoding that gives the file's bytes back, `utf-8-sig` if it starts with a byte order mark."""

    def become(
        self,
        text: str,
        tree: ast.Module,
        problems: tuple[FileError, ...],
        lost: tuple[tuple[int, int], ...],
        encoding: str,
    ) -> None:
        """Take another text with its tree: the same file after an edit."""
        self.text, self.tree, self.problems, self.lost, self.encoding = text, tree, problems, lost, encoding
        for kept in ("table", "outline", "suppressions"):
            self.__dict__.pop(kept, None)

    @cached_property
    def outline(self) -> Outline:
        return Outline(self.tree)

    @cached_property
    def table(self) -> LineTable:
        return LineTable(self.text)

    def line(self, number: int) -> str:
        """The text of line `number` of `text`, without its ending; empty beyond the text."""
        return self.table.line(number)

    def span(self, node: ast.AST) -> Span:
        """Where `node` stands; `node` is any node with a position (an expression, a statement, an argument, ...)."""
        line: int = node.lineno  # type: ignore[attr-defined]
        end_line: int = node.end_lineno  # type: ignore[attr-defined]
        column: int = node.col_offset  # type: ignore[attr-defined]
        end_column: int = node.end_col_offset  # type: ignore[attr-defined]
        if self.cells is None and self.text.isascii():
            return Span(self.path, line, column + 1, end_line, end_column + 1)
        return self.place(line, self.table.column(line, column), end_line, self.table.column(end_line, end_column))

    def place(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The span between two places of `text` (all from 1); in a notebook, within the cell of the first."""
        if self.cells is None:
            return Span(self.path, line, column, end_line, end_column)
        cell = cell_at(self.cells, line)
        if cell is None:
            return Span(self.path, line, column, end_line, end_column)
        shift = cell.first - 1
        return Span(self.path, line - shift, column, end_line - shift, end_column, cell.index)

    def segment(self, node: ast.AST) -> str:
        """The text of `node` as written."""
        line: int = node.lineno  # type: ignore[attr-defined]
        end_line: int = node.end_lineno  # type: ignore[attr-defined]
        start = self.table.offset(line, self.table.column(line, node.col_offset))  # type: ignore[attr-defined]
        end = self.table.offset(end_line, self.table.column(end_line, node.end_col_offset))  # type: ignore[attr-defined]
        return self.text[start:end]

    def joined_line(self, cell: int | None, line: int) -> int:
        """The line of `text` for a line of a `Span`: in a notebook those count within cell `cell`."""
        if self.cells is None:
            return line
        return next((one.first for one in self.cells if one.index == cell), 1) + line - 1

    @cached_property
    def suppressions(self) -> Suppressions:
        """The comments of this file that silence findings, with a record of which did."""
        if MARK not in self.text:
            return Suppressions(self.path, ())
        from .comments import collect

        return collect(self)


def cell_at(cells: Sequence[Cell], line: int) -> Cell | None:
    """The cell that holds line `line` of a notebook's joined text; None if there is no cell."""
    at = bisect_right(cells, line, key=lambda cell: cell.first)
    return cells[max(at - 1, 0)] if cells else None


def parse(text: str, path: str) -> Source:
    """The text of a Python file, parsed; raises `SourceError` if nothing of it can be analysed.

    A text that starts with a byte order mark loses it; columns of the first line count from behind it.
    """
    encoding = "utf-8"
    if text.startswith("\ufeff"):
        text, encoding = text[1:], "utf-8-sig"
    tree, problems, lost = parse_pieces(text, path)
    return Source(path, text, tree, problems, lost=lost, encoding=encoding)


Pieces = tuple[ast.Module, tuple[FileError, ...], tuple[tuple[int, int], ...]]


def parse_pieces(
    text: str,
    path: str,
    pieces: Sequence[tuple[int, int]] = (),
    parse: Callable[[str], ast.Module] | None = None,
) -> Pieces:
    """Tree, problems and lost lines of `text`; `pieces` are the first and last lines of parts that stand alone (cells).

    `parse` gives the tree of a whole text, by default as Python does (another way to the same tree may be quicker).
    Raises `SourceError` if nothing of it can be analysed.
    """
    if len(text) > MAX_SIZE:
        raise SourceError(path, 1, f"file is larger than {MAX_SIZE // 1_000_000} MB and looks generated; not checked")
    try:
        return _parse_or_recover(text, path, pieces, parse or quiet_parse)
    except UnicodeEncodeError:
        return parse_pieces(LONE_SURROGATE.sub("\ufffd", text), path, pieces, parse)
    except (RecursionError, MemoryError):
        raise SourceError(path, 1, "nested too deep for Python's parser; not checked") from None


def _parse_or_recover(
    text: str, path: str, pieces: Sequence[tuple[int, int]], parse: Callable[[str], ast.Module]
) -> Pieces:
    try:
        return parse(text), (), ()
    except (SyntaxError, ValueError) as error:
        if isinstance(error, UnicodeEncodeError):
            raise
        nul = text.find("\0")
        if nul >= 0 or not isinstance(error, SyntaxError):
            raise SourceError(path, text.count("\n", 0, nul) + 1, "contains a NUL character; it is not text") from None
        reason = error
    from .recovery import recover

    return recover(text, path, reason, pieces, parse)


def quiet_parse(text: str) -> ast.Module:
    """`ast.parse` without the warnings about the user's code (invalid escapes, `is` with a literal)."""
    with _warnings_are_global, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
