"""Which yields are a piece of code's own: those of the functions that it defines are theirs."""

from __future__ import annotations

import ast

Yield = ast.Yield | ast.YieldFrom


def own_yields(node: ast.AST) -> list[Yield]:
    """The yields of a piece of code itself, inner ones first."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        return []
    found = [y for child in ast.iter_child_nodes(node) for y in own_yields(child)]
    return [*found, node] if isinstance(node, (ast.Yield, ast.YieldFrom)) else found


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function's own body yields."""
    return any(own_yields(statement) for statement in function.body)
