"""Changes of a block's shape, by libcst: a `with` around statements, a loop undone, a one-line suite opened.

Only the statement concerned is parsed and written again; its comments, quotes and inner layout are libcst's to keep.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..source.outline import first_line
from .change import Change, Unplaceable
from .page import Page

try:
    import libcst as cst
except ModuleNotFoundError:  # compiled, so it cannot be carried along as the rest can: the other fixes go on
    raise Unplaceable("libcst is not installed") from None

HEAD = "if 1:\n"
"""Stands above an indented piece, so that it is a module by itself."""


def wrapped(page: Page, statements: Sequence[ast.stmt], header: str) -> tuple[Change, ...]:
    """Put statements that follow each other in one block under `header` (`with torch.no_grad():`).

    Where that only puts a line above them and white space before theirs, the changes are these insertions.
    """
    first, last = statements[0], statements[-1]
    if not (page.leads(first) and page.closes(last)):
        raise Unplaceable("a part of a line cannot be put under a header")
    start, end = page.line_start(first_line(first)), page.line_end(last.end_lineno or 0)
    piece = _Piece(page, start, end)
    body = [s.with_changes(leading_lines=_no_blank(s)) for s in piece.statements]
    inner = cst.IndentedBlock(body=body, indent=page.unit)
    head = cst.ensure_type(cst.parse_statement(f"{header} pass", config=piece.module.config_for_parsing), cst.With)
    return _insertions(piece.change([head.with_changes(body=inner)]), piece.text)


def _insertions(change: Change, old: str) -> tuple[Change, ...]:
    """A change as one line put in at its start and white space before others; as it is if it does more."""
    first, *rest = change.text.splitlines(keepends=True)
    lines = old.splitlines(keepends=True)
    if len(lines) != len(rest) or not all(new.endswith(line) for new, line in zip(rest, lines, strict=True)):
        return (change,)
    found, at = [], change.start
    for new, line in zip(rest, lines, strict=True):
        found.append(Change(at, at, new[: len(new) - len(line)]))
        at += len(line)
    found[0] = Change(change.start, change.start, first + found[0].text)
    return tuple(one for one in found if one.text)


def unwrapped(page: Page, guard: ast.If, returned: ast.Return | None = None, value: str = "") -> Change:
    """The statements of an `if` without it; with `returned`, `return value` for the last of them and that `return`."""
    if not page.leads(guard):
        raise Unplaceable("an if behind something else on its line")
    last = returned or guard
    piece = _Piece(page, page.line_start(guard.lineno), page.line_end(last.end_lineno or 0))
    old = piece.statements[0]
    suite = getattr(old, "body", None)
    if isinstance(suite, cst.SimpleStatementSuite):
        body: list[cst.BaseStatement] = [
            cst.SimpleStatementLine(body=suite.body, trailing_whitespace=suite.trailing_whitespace)
        ]
    else:
        body = list(cst.ensure_type(suite, cst.IndentedBlock).body)
    if returned is not None:
        body[-1] = cst.parse_statement(f"return {value}", config=piece.module.config_for_parsing)
    return piece.change(body)


def undone_loop(page: Page, loop: ast.For | ast.AsyncFor, lines: Sequence[str]) -> Change:
    """Simple statements in the place of a loop; the comments above and behind it stay."""
    if not page.leads(loop):
        raise Unplaceable("a loop behind something else on its line")
    start, end = page.line_start(loop.lineno), page.line_end(loop.end_lineno or 0)
    piece = _Piece(page, start, end)
    old = piece.statements[0]
    new = [cst.parse_statement(line, config=piece.module.config_for_parsing) for line in lines]
    new[0] = new[0].with_changes(leading_lines=getattr(old, "leading_lines", ()))
    return piece.change(new)


def opened(page: Page, owner: ast.stmt, lines: Sequence[str], *, at_end: bool) -> Change:
    """A one-line suite (`for x in xs: step(x)`) as a block, with more statements at its start or end."""
    if not page.leads(owner):
        raise Unplaceable("a one-line suite behind something else on its line")
    start, end = page.line_start(owner.lineno), page.line_end(owner.end_lineno or 0)
    piece = _Piece(page, start, end)
    old = piece.statements[0]
    suite = getattr(old, "body", None)
    if not isinstance(suite, cst.SimpleStatementSuite):
        raise Unplaceable("no one-line suite")
    config = piece.module.config_for_parsing
    more = list(cst.parse_module("\n".join(lines) + "\n", config).body)
    own: list[cst.BaseStatement] = [
        cst.SimpleStatementLine(body=suite.body, trailing_whitespace=suite.trailing_whitespace)
    ]
    body = [*own, *more] if at_end else [*more, *own]
    return piece.change([old.with_changes(body=cst.IndentedBlock(body=body, indent=page.unit))])


class _Piece:
    """Whole lines of a text, parsed by themselves."""

    def __init__(self, page: Page, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.text = page.text[start:end]
        self.eol = page.eol
        self.indented = self.text[:1] in (" ", "\t")
        try:
            self.module = cst.parse_module((HEAD.replace("\n", page.eol) if self.indented else "") + self.text)
        except cst.ParserSyntaxError as error:
            raise Unplaceable("these lines cannot be read by themselves") from error
        if self.indented:
            block = cst.ensure_type(cst.ensure_type(self.module.body[0], cst.If).body, cst.IndentedBlock)
            self.statements: list[cst.BaseStatement] = list(block.body)
        else:
            self.statements = list(self.module.body)

    def change(self, statements: Sequence[cst.BaseStatement]) -> Change:
        if self.indented:
            outer = cst.ensure_type(self.module.body[0], cst.If)
            block = cst.ensure_type(outer.body, cst.IndentedBlock)
            module = self.module.with_changes(body=[outer.with_changes(body=block.with_changes(body=list(statements)))])
            code = module.code[len(HEAD.replace("\n", self.eol)) :]
        else:
            code = self.module.with_changes(body=list(statements)).code
        if self.eol != "\n" and self.eol not in self.text:  # one line tells libcst nothing of line endings
            code = code.replace(self.eol, "\n").replace("\n", self.eol)
        if not self.text.endswith(("\n", "\r")):
            code = code.rstrip("\r\n")
        return Change(self.start, self.end, code)


def _no_blank(statement: cst.BaseStatement) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return [line for line in lines if line.comment is not None]
