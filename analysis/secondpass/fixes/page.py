"""A source as something to write in: texts of nodes, and statements put in, taken out and moved.

A change is as small as it can be: new lines go in at a line's end, one more statement of a one-line suite or of a line
with semicolons goes in after `; `. Where a block must take another shape (a `with` around statements, a one-line suite
that becomes a block), libcst rewrites the statement concerned and nothing around it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence
from functools import cached_property

from ..source.outline import first_line
from ..source.source import Source
from .change import Change, Unplaceable
from .places import Places

STRINGS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
SIMPLE_BLOCK = re.compile(r"[ \t]*;")


class Page:
    """One source under the pen."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.places = Places(source.tree)

    @cached_property
    def eol(self) -> str:
        """The line ending this file uses."""
        found = re.search(r"\r\n|\n|\r", self.text)
        return found.group() if found else "\n"

    @cached_property
    def unit(self) -> str:
        """One step of indentation, as the file has it."""
        for node in self.places.nodes:
            body = getattr(node, "body", None)
            if isinstance(node, ast.stmt) and isinstance(body, list) and body and body[0].lineno > node.lineno:
                inner, outer = self.indent(body[0]), self.indent(node)
                if inner.startswith(outer) and len(inner) > len(outer):
                    return inner[len(outer) :]
        return "    "

    def start(self, node: ast.AST) -> int:
        line: int = node.lineno  # type: ignore[attr-defined]
        return self.source.table.offset(line, self.source.table.column(line, node.col_offset))  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        line: int = node.end_lineno  # type: ignore[attr-defined]
        return self.source.table.offset(line, self.source.table.column(line, node.end_col_offset))  # type: ignore[attr-defined]

    def code(self, node: ast.AST) -> str:
        """A node as written."""
        return self.text[self.start(node) : self.end(node)]

    def code_at(self, statement: ast.stmt, indent: str) -> str:
        """A statement as written, its further lines shifted to another indentation where no string would change."""
        text, old = self.code(statement), self.indent(statement)
        if "\n" not in text or any(
            isinstance(n, (ast.Constant, ast.JoinedStr)) and n.end_lineno != n.lineno for n in ast.walk(statement)
        ):
            return text
        first, *rest = text.split("\n")
        return "\n".join([first, *(indent + line[len(old) :] if line.startswith(old) else line for line in rest)])

    def indent(self, statement: ast.stmt) -> str:
        """The white space before the line on which a statement starts."""
        line = self.source.line(first_line(statement))
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def leads(self, statement: ast.stmt) -> bool:
        """Whether a statement is the first thing on its line."""
        line = self.source.line(statement.lineno)
        return not line[: self.source.table.column(statement.lineno, statement.col_offset) - 1].strip()

    def closes(self, statement: ast.stmt) -> bool:
        """Whether nothing but a comment follows a statement on its line."""
        rest = self.text[self.end(statement) : self.line_end(statement.end_lineno or 0)]
        return not rest.strip() or rest.lstrip().startswith("#")

    def line_start(self, line: int) -> int:
        return self.source.table.offset(line, 1)

    def line_end(self, line: int) -> int:
        return self.source.table.offset(line, len(self.source.line(line)) + 1)

    def _own_lines(self, statement: ast.stmt) -> bool:
        """Whether the block of a statement stands on lines of its own."""
        return self.leads(self.places.block(statement)[0])

    def after(self, statement: ast.stmt, *lines: str) -> Change:
        """Put statements after one; each of `lines` is a simple statement, or a line of a block indented by `unit`."""
        if not self.closes(statement) or not self._own_lines(statement):
            if any(line.endswith(":") for line in lines):
                return self._opened(statement, lines, at_end=True)
            return Change(self.end(statement), self.end(statement), "".join(f"; {line}" for line in lines))
        at = self.line_end(statement.end_lineno or 0)
        return Change(at, at, "".join(f"{self.eol}{self._block_indent(statement)}{line}" for line in lines))

    def _opened(self, statement: ast.stmt, lines: Sequence[str], *, at_end: bool) -> Change:
        from .block import opened

        owner, block = self.places.owner(statement), self.places.block(statement)
        if not isinstance(owner, ast.stmt) or block[-1 if at_end else 0] is not statement or self._own_lines(statement):
            raise Unplaceable("a block does not fit in the middle of a line")
        return opened(self, owner, lines, at_end=at_end)

    def _block_indent(self, statement: ast.stmt) -> str:
        return self.indent(self.places.block(statement)[0])

    def before(self, statement: ast.stmt, *lines: str) -> Change:
        """Put statements before one, above the comments that stand right above it."""
        if not self.leads(statement) and not getattr(statement, "decorator_list", []):
            if any(line.endswith(":") for line in lines):
                return self._opened(statement, lines, at_end=False)
            at = self.start(statement)
            return Change(at, at, "".join(f"{line}; " for line in lines if not line.startswith("#")))
        indent = self.indent(statement)
        first = first_line(statement)
        while first > 1 and self._comments(first - 1, indent):
            first -= 1
        if first == 1:  # what heads the file
            first = first_line(statement)
        at = self.source.table.offset(first, len(indent) + 1)
        return Change(at, at, "".join(f"{line}{self.eol}{indent}" for line in lines))

    def _comments(self, line: int, indent: str) -> bool:
        """Whether a line holds only a comment in this indentation, and not a cell's mark."""
        text = self.source.line(line)
        return (
            text.startswith(f"{indent}#")
            and not text.startswith(("# %%", "#%%", "#!"))
            and not self.in_string_at_end(line - 1)
        )

    def replace(self, node: ast.AST, text: str) -> Change:
        return Change(self.start(node), self.end(node), text)

    def removed(self, statement: ast.stmt) -> Change:
        """Take a statement out, with its line if it has one to itself; `pass` stays where a block would be empty."""
        if len(self.places.block(statement)) == 1 and not isinstance(self.places.owner(statement), ast.Module):
            return self.replace(statement, "pass")
        start, end = self.start(statement), self.end(statement)
        follows = SIMPLE_BLOCK.match(self.text, end)
        if self.leads(statement) and self.closes(statement):
            line = first_line(statement)
            last = statement.end_lineno or line
            if last < len(self.source.table.lines):
                return Change(self.source.table.offset(line, 1), self.source.table.offset(last + 1, 1), "")
            return Change(self.line_end(line - 1) if line > 1 else 0, self.line_end(last), "")
        if follows:
            rest = re.compile(r"[ \t]*").match(self.text, follows.end())
            stop = rest.end() if rest else follows.end()
            if stop < self.line_end(statement.end_lineno or 0) and not self.text.startswith("#", stop):
                return Change(start, stop, "")
        semicolon = self.text.rfind(";", 0, start)
        return Change(semicolon, end, "")

    @cached_property
    def _tokens(self) -> tuple[dict[int, int], set[int]]:
        """Columns (from 0) of comments by line, and the lines that end in a string; as far as the text is Python."""
        comments: dict[int, int] = {}
        inside: set[int] = set()
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.text, newline="").readline):
                if token.type == tokenize.COMMENT:
                    comments[token.start[0]] = token.start[1]
                elif token.type in STRINGS and token.start[0] != token.end[0]:
                    inside.update(range(token.start[0], token.end[0]))
        except (tokenize.TokenError, SyntaxError):
            pass
        return comments, inside

    def comment(self, line: int) -> int | None:
        """The column (from 0) at which a comment stands on a line."""
        return self._tokens[0].get(line)

    def in_string_at_end(self, line: int) -> bool:
        """Whether a line ends inside a string."""
        return line in self._tokens[1]

    def free_name(self, *wanted: str) -> str:
        """The first of these that this file does not use, or a name like it."""
        used = {n.id for n in self.places.nodes if isinstance(n, ast.Name)}
        return next(name for name in (*wanted, *(f"{wanted[0]}_{i}" for i in range(2, 100))) if name not in used)
