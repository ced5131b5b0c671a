"""Numbers in place of graphs in what is kept for reporting: `total += loss.item()`, `losses.append(loss.detach())`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .scene import Candidate, Scene, short
from .shapes import detached

TENSOR_ONLY = ("item", "detach", "cpu", "backward", "numpy", "tolist", "mean", "clone", "to", "data")
"""What a tensor can be asked and a number cannot."""
METERED = {"val", "value", "metric", "score"}
"""What meters call the numbers they are given."""
SCALAR = ("loss", "total", "err", "cost", "sum", "acc")


def candidates(scene: Scene) -> Iterator[Candidate]:
    """For SP301 and SP302: the value that is added or appended, without its graph."""
    for index, value in enumerate(values(scene)):
        yield from kept(scene, value, 10 + 5 * index)


def kept(scene: Scene, value: ast.expr, rank: int) -> Iterator[Candidate]:
    page = scene.page
    text = page.code(value)
    operand = text if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({text})"
    shape = None
    if isinstance(value, (ast.Name, ast.Attribute)):
        shape = scene.shape_at(text, scene.places.statement(value))
    if shape is not None and shape.kind not in ("tensor", "unknown"):
        plain = detached(text, shape)
    else:
        plain = f"{operand}.detach()"
        if _is_number(scene, value):
            yield Candidate(
                "item",
                f"Keep the number `{short(operand)}.item()` (nothing of its graph is kept; it waits for the device)",
                "safe",
                (page.replace(value, f"{operand}.item()"),),
                rank,
            )
    if plain is not None:
        yield Candidate(
            "detach-value",
            f"Keep `{short(operand)}` detached (it stays a tensor, its graph is freed)",
            "safe",
            (page.replace(value, plain),),
            rank + 1,
        )


def _is_number(scene: Scene, value: ast.expr) -> bool:
    """Whether a Python number can take the value's place: one by its name, and never used as a tensor afterwards."""
    words = {n.id.lower() for n in ast.walk(value) if isinstance(n, ast.Name)}
    words |= {n.attr.lower() for n in ast.walk(value) if isinstance(n, ast.Attribute)}
    subject = scene.finding.subject
    if not any(part in word for word in words for part in SCALAR) and not (
        words & METERED and _starts_as_number(scene, subject)
    ):
        return False
    for node in scene.places.nodes:
        if isinstance(node, ast.Attribute) and node.attr in TENSOR_ONLY and ast.unparse(node.value) == subject:
            return False
        if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) == subject:
            return False
    return True


def _starts_as_number(scene: Scene, subject: str) -> bool:
    """Whether the place that is added to begins as `0` or `0.0`."""
    for node in scene.places.nodes:
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == subject for target in node.targets):
            return isinstance(node.value, ast.Constant) and node.value.value in (0, 0.0)
    return False


def values(scene: Scene) -> Iterator[ast.expr]:
    """The expressions whose graph the finding's store takes in."""
    span = scene.finding.span
    node = scene.node_at(span, ast.stmt, ast.Call, ast.Name, ast.Attribute, ast.Subscript)
    if isinstance(node, ast.Expr):
        node = node.value
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
