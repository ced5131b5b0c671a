"""Where one can point in a text, and what one then means.

A name stands for itself; an attribute is pointed at by its last part; a method's name means the call, and so do the
flags `retain_graph` and `create_graph` of a walk.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondpass.findings import Span

if TYPE_CHECKING:
    from secondpass.source.source import Source

FLAGS = ("retain_graph", "create_graph")


@dataclass(frozen=True, slots=True)
class Place:
    """An expression, and where one points to mean it."""

    node: ast.expr
    pointed: Span
    within: ast.stmt | None = None
    """The `with` statement whose context manager it is."""


def places(source: Source) -> Iterator[Place]:
    """Every place of a text, the outer ones first."""
    called: set[ast.AST] = set()
    managers: dict[ast.AST, ast.stmt] = {}
    for node in ast.walk(source.tree):
        kind = type(node)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            managers.update((item.context_expr, node) for item in node.items)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _parameters(source, node)
        elif isinstance(node, ast.Call):
            called.add(node.func)
            if isinstance(node.func, ast.Attribute):
                yield Place(node, _tail(source, node.func), managers.get(node))
            elif isinstance(node.func, ast.Name):
                yield Place(node, source.span(node.func), managers.get(node))
            for keyword in node.keywords:
                if keyword.arg in FLAGS:
                    yield Place(node, _head(source, keyword, len(keyword.arg)))
        elif kind is ast.Name or kind is ast.Subscript:
            if node not in called:
                yield Place(node, source.span(node), managers.get(node))  # type: ignore[arg-type]
        elif isinstance(node, ast.Attribute) and node not in called:
            yield Place(node, _tail(source, node), managers.get(node))


def _tail(source: Source, node: ast.Attribute) -> Span:
    """The last part of an attribute."""
    line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    column = source.table.column(line, end)
    return source.place(line, column - len(node.attr), line, column)


def _head(source: Source, node: ast.keyword, length: int) -> Span:
    column = source.table.column(node.lineno, node.col_offset)
    return source.place(node.lineno, column, node.lineno, column + length)


def _parameters(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Place]:
    """A parameter is what its name holds where the function first reads it, if it was not bound again before."""
    arguments = function.args
    wanted = {one.arg: one for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    read: dict[str, ast.Name] = {}
    bound: dict[str, int] = {}
    for name in (n for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id in wanted):
        if not isinstance(name.ctx, ast.Load):
            bound[name.id] = min(name.lineno, bound.get(name.id, name.lineno))
        elif name.id not in read or (name.lineno, name.col_offset) < (read[name.id].lineno, read[name.id].col_offset):
            read[name.id] = name
    for key, name in read.items():
        if bound.get(key, name.lineno) >= name.lineno:
            one = wanted[key]
            column = source.table.column(one.lineno, one.col_offset)
            yield Place(name, source.place(one.lineno, column, one.lineno, column + len(key)))
