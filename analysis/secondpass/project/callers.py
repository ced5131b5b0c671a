"""What another file does with a module: whether it trains, and whether it ends the module's state in each iteration.

A reset counts where it is reached as often as the walk: not before a loop that walks, and not in an outer loop of it.
"""

from __future__ import annotations

import ast
import re

TRAINS = re.compile(r"backward|training_step|train_step|compute_loss|def forward|def closure")
WALKS = ("backward", "manual_backward")
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def trains(text: str) -> bool:
    """Whether a file walks graphs itself, or builds the module into another one."""
    return TRAINS.search(text) is not None


def ends_each_iteration(text: str, methods: set[str], attributes: set[str]) -> bool:
    """Whether one of these methods is called, or one of these attributes assigned, in the iteration itself."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    return any(
        _ends(node, methods, attributes) and not _walks_deeper(around, node)
        for around, node in _in_iterations(tree, tree)
    )


def _in_iterations(tree: ast.AST, around: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """Every node with the innermost loop or function around it."""
    found: list[tuple[ast.AST, ast.AST]] = []
    todo = [(around, tree)]
    while todo:
        outer, node = todo.pop()
        found.append((outer, node))
        inner = node if isinstance(node, (*LOOPS, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else outer
        todo.extend((inner, child) for child in ast.iter_child_nodes(node))
    return found


def _ends(node: ast.AST, methods: set[str], attributes: set[str]) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in methods
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in attributes:
        return not (isinstance(node.value, ast.Name) and node.value.id == "self")
    return False


def _walks_deeper(around: ast.AST, reset: ast.AST) -> bool:
    """Whether a loop inside `around`, of which the reset is no part, walks."""
    for loop in ast.walk(around):
        if isinstance(loop, LOOPS) and loop is not around:
            inside = list(ast.walk(loop))
            walks = (isinstance(n, ast.Call) and getattr(n.func, "attr", "") in WALKS for n in inside)
            if reset not in inside and any(walks):
                return True
    return False
