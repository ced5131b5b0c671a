"""Yields: made before the statement that they stand in, which then reads what was sent.

A statement that holds a yield waits (`Waiting` in core.py); all others are run to their end at once.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Sequence
from typing import Any

from secondpass.machine.compiler.core import Compiler, Expression, Scope, Steps, compiles_expression
from secondpass.machine.machine import Frame
from secondpass.machine.values import MISSING, Unknown, V
from secondpass.source.yields import own_yields


def yields_of(c: Compiler, nodes: Sequence[ast.AST], scope: Scope) -> Steps:
    """The yields inside these expressions or simple statements, in order."""
    m = c.m
    steps = [
        (c.expr(y.value, scope) if y.value is not None else None, isinstance(y, ast.YieldFrom), sent_name(y))
        for node in nodes
        for y in own_yields(node)
    ]

    def run(f: Frame) -> Generator[V, V, None]:
        for value, many, name in steps:
            made = value(f) if value is not None else None
            if many:
                inner: Any = m.iterate(made)
                f.vars[name] = yield from inner
            else:
                f.vars[name] = yield made

    return run


@compiles_expression(ast.Yield, ast.YieldFrom)
def yielded(c: Compiler, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Expression:
    """What was sent to a yield: the yield itself is made before the statement that it stands in."""
    name = sent_name(node)

    def run(f: Frame) -> V:
        sent = f.vars.get(name, MISSING)
        return Unknown() if sent is MISSING else sent

    return run


def sent_name(node: ast.Yield | ast.YieldFrom) -> str:
    """Under which name a frame keeps what was sent to a yield."""
    return f"@sent {node.lineno}:{node.col_offset}"
