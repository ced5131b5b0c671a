"""Comments that silence findings: `# secondpass: ignore[SP101, SP2] reason`.

- `# secondpass: ignore` silences every rule, `ignore[SP101, SP2]` the named ones; a code may be a prefix (`SP2`).
- Behind code, the comment covers the whole statement it stands in, whichever of the statement's lines it stands on, so
  that a formatter may wrap the statement. Of a statement with a block (`for`, `with`, `def`) it covers the header.
- Alone on its line, it covers the statement it stands inside, or else the next one (again, of a block the header).
- `# secondpass: ignore-file` and `ignore-file[SP301]` cover the whole file (a notebook: all its cells), wherever they
  stand.
- Text in a string is no comment. Not imported for a text without `secondpass:`.
"""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..findings import FileError
from .suppress import Suppression, Suppressions

if TYPE_CHECKING:
    from .source import Source

_COMMENT = re.compile(
    r"#[ \t]*secondpass:[ \t]*(?P<word>[A-Za-z-]*)[ \t]*(?P<codes>\[[^]#\r\n]*\]?)?[ \t]*(?P<reason>[^#\r\n]*)"
)
_CODE = re.compile(r"(?:[A-Z]{1,5}[0-9]{0,4}|[A-Z]+(?:-[A-Z]+)+)\Z")
_WORDS = ("ignore", "ignore-file")


class _Extent(NamedTuple):
    """The lines of a statement, or of the header of a statement with a block."""

    first: int
    last: int
    block: int
    """The first line of the block, 0 if there is none."""
    node: ast.AST


def collect(source: Source) -> Suppressions:
    """The suppressions of a file; what stands in strings or in lines lost to broken syntax does not count."""
    table = source.table
    matches = [(match, *table.position(match.start())) for match in _COMMENT.finditer(source.text)]
    around = _around(source.tree.body, [line for _, line, _ in matches])
    extents = sorted(_extents(around), key=lambda extent: extent[:2])
    found: list[Suppression] = []
    problems: list[FileError] = []
    for match, line, column in matches:
        if any(first <= line <= last for first, last in source.lost) or _in_string(source, extents, line, column):
            continue
        span = source.place(line, column, line, column + len(match.group().rstrip()))
        problem = _problem(match)
        if problem:
            problems.append(FileError(source.path, span.line, problem, span.cell))
            continue
        whole = match["word"] == "ignore-file"
        alone = not table.line(line)[: column - 1].strip()
        first, last = (1, len(table.lines)) if whole else _covered(extents, line, alone)
        found.append(Suppression(span, tuple(_codes(match)), match["reason"].strip(), first, last, whole))
    return Suppressions(source.path, found, problems)


def _codes(match: re.Match[str]) -> list[str]:
    inside = (match["codes"] or "").strip("[]")
    return [code.strip().upper() for code in inside.split(",")] if match["codes"] else []


def _problem(match: re.Match[str]) -> str | None:
    """What is wrong with a comment that starts with `secondpass:`, in one line."""
    word = match["word"]
    if word not in _WORDS:
        nearest = difflib.get_close_matches(word, _WORDS, 1, 0.5)
        hint = f"did you mean `{nearest[0]}`?" if nearest else "known are `ignore` and `ignore-file`"
        return f"unknown comment `secondpass: {word}`; {hint}"
    if match["codes"] and not match["codes"].endswith("]"):
        return f"`secondpass: {word}[` is not closed; nothing is silenced"
    for code in _codes(match):
        if not _CODE.match(code):
            return (
                f"`secondpass: {word}[...]` names `{code}`, which is no rule code"
                if code
                else (f"`secondpass: {word}[]` names no rule; leave the brackets out to silence every rule")
            )
    return None


def _covered(extents: list[_Extent], line: int, alone: bool) -> tuple[int, int]:
    """First and last line that a comment on `line` covers."""
    around = [extent for extent in extents if extent.first <= line <= extent.last]
    if not around and alone:
        around = [extent for extent in extents if extent.first > line][:1]
    elif not around:
        # `):` that ends a header over several lines is in none of the header's nodes
        at = bisect_right(extents, line, key=lambda extent: extent.first) - 1
        if at >= 0 and extents[at].block > line:
            around = [extents[at]]
    return min([line, *(extent.first for extent in around)]), max([line, *(extent.last for extent in around)])


def _around(body: list[ast.stmt], lines: list[int]) -> list[ast.stmt]:
    """The top-level statements that hold one of these lines (in order), or come next after one."""
    found = []
    waiting = 0
    for statement in body:
        end = statement.end_lineno or statement.lineno
        if waiting < len(lines) and lines[waiting] <= end:
            found.append(statement)
        # a comment waits for the first statement that starts below it
        while waiting < len(lines) and lines[waiting] < statement.lineno:
            waiting += 1
    return found


def _extents(statements: list[ast.stmt]) -> Iterator[_Extent]:
    """The lines of every statement, of every header, `except` clause and `case`."""
    waiting: list[ast.AST] = [*statements]
    while waiting:
        node = waiting.pop()
        block = node.cases if isinstance(node, ast.Match) else getattr(node, "body", None)
        if block is None:  # a statement without a block
            yield _Extent(node.lineno, node.end_lineno, 0, node)  # type: ignore[attr-defined]
            continue
        header = [child for child in _parts(node) if hasattr(child, "lineno")]
        line = getattr(node, "lineno", 0) or (header[0].lineno if header else 0)
        if line:
            lines = [line, *(child.lineno for child in header)]
            ends = [line, *(child.end_lineno for child in header)]  # type: ignore[attr-defined]
            under = block[0].pattern if isinstance(block[0], ast.match_case) else block[0]
            yield _Extent(min(lines), max(ends), under.lineno, node)
        waiting += block
        for name in ("orelse", "finalbody", "handlers"):
            waiting += getattr(node, name, ())


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly in a statement's header (all of them, for a statement without a block)."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            continue
        if hasattr(child, "lineno"):
            yield child
        else:  # `arguments`, `withitem`: no position of their own
            yield from _parts(child)


def _in_string(source: Source, extents: list[_Extent], line: int, column: int) -> bool:
    """Whether the `#` at this place of the text belongs to a string."""
    for extent in extents:
        if not extent.first <= line <= extent.last:
            continue
        for part in [extent.node] if not extent.block else _parts(extent.node):
            for node in ast.walk(part):
                if isinstance(node, ast.JoinedStr) or (
                    isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
                ):
                    start = (node.lineno, source.table.column(node.lineno, node.col_offset))
                    end = (node.end_lineno or 0, source.table.column(node.end_lineno or 0, node.end_col_offset or 0))
                    if start <= (line, column) < end:
                        return not _is_comment(source, node, line, column)
    return False


def _is_comment(source: Source, string: ast.expr, line: int, column: int) -> bool:
    """Whether a place in a string node is a comment between its adjacent parts: `("a"  # here` next line `"b")`."""
    text = f"({source.segment(string)}\n)"
    first_line, first_column = string.lineno, source.table.column(string.lineno, string.col_offset)
    row = line - first_line + 1
    place = (row, column - first_column + 1 if row == 1 else column - 1)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return False
    return any(token.type == tokenize.COMMENT and token.start == place for token in tokens)
