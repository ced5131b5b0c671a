"""Numbers in place of graphs in what is kept for reporting: `total += loss.item()`, `losses.append(loss.detach())`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .scene import Candidate, Scene

SCALAR = ("loss", "total", "running", "err", "cost", "sum", "acc")


def candidates(scene: Scene) -> Iterator[Candidate]:
    """For SP301 and SP302: the value that is added or appended, without its graph."""
    for index, value in enumerate(values(scene)):
        yield from kept(scene, value, 10 + 5 * index)


def kept(scene: Scene, value: ast.expr, rank: int) -> Iterator[Candidate]:
    page = scene.page
    text = page.code(value)
    operand = text if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({text})"
    item = Candidate(
        "item",
        f"Add the number `{_short(operand)}.item()` (nothing of its graph is kept; waits for the device)",
        "safe",
        (page.replace(value, f"{operand}.item()"),),
        rank,
    )
    detach = Candidate(
        "detach-value",
        f"Keep `{_short(operand)}.detach()` (the value stays a tensor, its graph is freed)",
        "safe",
        (page.replace(value, f"{operand}.detach()"),),
        rank + 1,
    )
    yield item
    yield detach


def values(scene: Scene) -> Iterator[ast.expr]:
    """The expressions whose graph the finding's store takes in."""
    span = scene.finding.span
    node = scene.node_at(span, ast.stmt, ast.Call, ast.Name, ast.Attribute, ast.Subscript)
    if node is None:
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        yield node.args[-1]
        return
    statement = scene.places.statement(node)
    if isinstance(statement, ast.AugAssign):
        yield statement.value
    elif isinstance(statement, ast.Assign):
        subject = ast.unparse(statement.targets[0])
        value = statement.value
        if isinstance(value, ast.BinOp):
            sides = [side for side in (value.right, value.left) if ast.unparse(side) != subject]
            yield from sides
        yield value


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
