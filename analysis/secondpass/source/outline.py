"""The functions, classes and statements of a file by their places in the text: found once, asked often."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_N = TypeVar("_N", bound=ast.AST)


class Outline:
    """Which function, class and statement a place lies in. Expressions are not looked into: lambdas do not count.

    Only the statements at the top that are asked about are looked into.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._tops = tree.body
        self._parts: dict[int, _Part] = {}

    def function(self, place: ast.AST) -> Function | None:
        """The innermost function around a place (a function does not lie in itself)."""
        part = self._part(place)
        if place not in part.around:
            part.around[place] = _innermost([f for f in part.functions if f is not place], place)
        return part.around[place]

    def owner(self, place: ast.AST) -> ast.ClassDef | None:
        """The innermost class around a place."""
        return _innermost([c for c in self._part(place).classes if c is not place], place)

    def statement(self, place: ast.AST) -> ast.stmt | None:
        """The innermost statement that is or holds a place."""
        part = self._part(place)
        if place not in part.holding:
            part.holding[place] = _innermost(part.statements, place)
        return part.holding[place]

    def methods(self, owner: ast.ClassDef) -> list[Function]:
        return [f for f in self._part(owner).functions if self.owner(f) is owner]

    def within(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements on the lines of a statement, in the order of the file."""
        last = statement.end_lineno or 0
        found = [s for s in self._part(statement).statements if statement.lineno <= s.lineno <= last]
        return sorted(found, key=lambda s: s.lineno)

    def _part(self, place: ast.AST) -> _Part:
        number = bisect_right(self._tops, _start(place), key=_start) - 1
        part = self._parts.get(number)
        if part is None:
            part = self._parts[number] = _Part(self._tops[number] if number >= 0 else None)
        return part


class _Part:
    """What lies in one statement at the top of the file."""

    def __init__(self, top: ast.stmt | None) -> None:
        self.functions: list[Function] = []
        self.classes: list[ast.ClassDef] = []
        self.statements: list[ast.stmt] = []
        self.around: dict[ast.AST, Function | None] = {}
        self.holding: dict[ast.AST, ast.stmt | None] = {}
        todo: list[ast.AST] = [top] if top is not None else []
        while todo:
            node = todo.pop()
            if isinstance(node, ast.stmt):
                self.statements.append(node)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.append(node)
            elif isinstance(node, ast.ClassDef):
                self.classes.append(node)
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                part = getattr(node, name, None)
                if isinstance(part, list):
                    todo.extend(part)


def first_line(statement: ast.stmt) -> int:
    """The line on which a statement starts, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _start(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _end(node: ast.AST) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0  # type: ignore[attr-defined]


def _innermost(nodes: Sequence[_N], place: ast.AST) -> _N | None:
    start, end = _start(place), _end(place)
    around = [n for n in nodes if _start(n) <= start and end <= _end(n)]
    return max(around, key=_start, default=None)
