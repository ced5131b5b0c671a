"""The functions, classes and statements of a file by their places in the text: found once, asked often."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_N = TypeVar("_N", bound=ast.AST)


class Outline:
    """Which function, class and statement a place lies in. Expressions are not looked into: lambdas do not count."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions: list[Function] = []
        self.classes: list[ast.ClassDef] = []
        self.statements: list[ast.stmt] = []
        self._around: dict[ast.AST, Function | None] = {}
        self._holding: dict[ast.AST, ast.stmt | None] = {}
        todo: list[ast.AST] = [tree]
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

    def function(self, place: ast.AST) -> Function | None:
        """The innermost function around a place (a function does not lie in itself)."""
        if place not in self._around:
            self._around[place] = _innermost([f for f in self.functions if f is not place], place)
        return self._around[place]

    def owner(self, place: ast.AST) -> ast.ClassDef | None:
        """The innermost class around a place."""
        return _innermost([c for c in self.classes if c is not place], place)

    def statement(self, place: ast.AST) -> ast.stmt | None:
        """The innermost statement that is or holds a place."""
        if place not in self._holding:
            self._holding[place] = _innermost(self.statements, place)
        return self._holding[place]

    def methods(self, owner: ast.ClassDef) -> list[Function]:
        return [f for f in self.functions if self.owner(f) is owner]


def _start(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _end(node: ast.AST) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0  # type: ignore[attr-defined]


def _innermost(nodes: Sequence[_N], place: ast.AST) -> _N | None:
    start, end = _start(place), _end(place)
    around = [n for n in nodes if _start(n) <= start and end <= _end(n)]
    return max(around, key=_start, default=None)
