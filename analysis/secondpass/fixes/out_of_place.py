"""A new tensor in place of a change in place: what autograd has saved stays as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ..machine.graph import Leaf, reach
from .change import Change
from .places import names_stored
from .scene import Candidate, Scene, short
from .walks import without_argument

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}

TWINS = frozenset(
    """abs add addcdiv addcmul ceil clamp clamp_max clamp_min clip cos cumsum div exp exp2 floor index_add index_copy
    index_fill index_put log log1p log2 logit masked_fill masked_scatter mul neg pow reciprocal relu remainder round
    rsqrt scatter scatter_add sigmoid sign sin sqrt square sub tanh tril triu true_divide where""".split()
)
"""Methods whose name with `_` does the same in place."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    """`x += y` becomes `x = x + y`, `x.add_(y)` becomes `x = x.add(y)`, `inplace=True` goes."""
    story = scene.story
    storage = story.failure.storage if story is not None else None
    writer = storage.writer if storage is not None else None
    if writer is None or not scene.here(writer) or _trained(scene):
        return
    for changes in _changes(scene, writer):
        yield Candidate(
            "out-of-place",
            f"Let `{short(scene.page.code(writer))}` make a new tensor (autograd keeps what it saved)",
            "safe",
            changes,
            5.5,
        )


def _trained(scene: Scene) -> bool:
    """Whether what is written is a leaf that gets a gradient: a new tensor in its place would get none."""
    story = scene.story
    if story is None:
        return False
    leaves = [n for n in reach(story.second.roots) if type(n) is Leaf]
    return any(leaf.tensor.storage is story.failure.storage for leaf in leaves)


def copies(scene: Scene) -> Iterator[Candidate]:
    """A copy between what is saved and what is written: made before the write, or where the value is read."""
    story = scene.story
    storage = story.failure.storage if story is not None else None
    writer = storage.writer if storage is not None else None
    if story is None or writer is None or not scene.here(writer) or _trained(scene):
        return
    page, places = scene.page, scene.places
    statement = places.statement(writer)
    base = _written(scene, statement)
    if base is None:
        return
    name = page.code(base)
    outer: ast.stmt = statement
    while isinstance(places.owner(outer), ast.With):
        outer = places.owner(outer)  # type: ignore[assignment]
    if isinstance(base, ast.Name) and _own(places.function(statement), base.id):
        yield Candidate(
            "copy-before-write",
            f"Write into a copy of `{name}` (autograd keeps the values it saved; one copy more)",
            "safe",
            partial(_copied, scene, outer, name),
            6,
        )
    if scene.here(story.node.site):
        reads = [
            n
            for n in ast.walk(story.node.site)
            if isinstance(n, (ast.Name, ast.Attribute)) and isinstance(n.ctx, ast.Load) and page.code(n) == name
        ]
        if reads:
            yield Candidate(
                "copy-where-read",
                f"Read a copy of `{name}` in `{short(page.code(story.node.site))}` (later writes do not reach it)",
                "safe",
                tuple(Change(page.end(n), page.end(n), ".clone()") for n in reads),
                6.5,
            )


def _copied(scene: Scene, before: ast.stmt, name: str) -> tuple[Change, ...]:
    return (scene.page.before(before, f"{name} = {name}.clone()"),)


def _written(scene: Scene, statement: ast.stmt) -> ast.expr | None:
    """What a statement writes into in place: `bank` in `bank[i] = x`, `bank[i] += x`, `bank[i].copy_(x)`."""
    at: ast.expr | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        at = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        at = statement.target
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        func = statement.value.func
        at = func.value if isinstance(func, ast.Attribute) and func.attr.endswith("_") else None
        if isinstance(at, ast.Name) and at.id in scene.imported:
            at = statement.value.args[0] if statement.value.args else None
    while isinstance(at, ast.Subscript):
        at = at.value
    return at if isinstance(at, (ast.Name, ast.Attribute)) else None


def _own(function: ast.AST, name: str) -> bool:
    """Whether a scope binds a name itself, so that binding it anew is seen by nobody else."""
    if isinstance(function, ast.Module):
        return True
    body = getattr(function, "body", [])
    declared = any(isinstance(n, (ast.Global, ast.Nonlocal)) and name in n.names for n in ast.walk(function))
    return not declared and isinstance(body, list) and name in names_stored(body)


def _changes(scene: Scene, writer: ast.AST) -> Iterator[tuple[Change, ...]]:
    page = scene.page
    statement = scene.places.statement(writer)
    if isinstance(statement, ast.AugAssign) and type(statement.op) in SIGNS and isinstance(statement.target, ast.Name):
        name, value = page.code(statement.target), page.code(statement.value)
        term = (
            value
            if isinstance(statement.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant))
            else None
        )
        sign = SIGNS[type(statement.op)]
        yield (page.replace(statement, f"{name} = {name} {sign} {term if term is not None else f'({value})'}"),)
        return
    for call in [n for n in ast.walk(statement) if isinstance(n, ast.Call)]:
        func = call.func
        inplace = next((k for k in call.keywords if k.arg == "inplace"), None)
        if inplace is not None:
            yield (without_argument(scene, call, inplace),)
        if not isinstance(func, ast.Attribute) or not func.attr.endswith("_") or func.attr[:-1] not in TWINS:
            continue
        end = page.end(func)
        renamed = Change(end - 1, end, "")
        if isinstance(func.value, ast.Name) and func.value.id in scene.imported:  # `F.relu_(x)`
            written = call.args[0] if call.args else None
            if isinstance(statement, ast.Expr) and statement.value is call and isinstance(written, ast.Name):
                start = page.start(statement)
                yield (Change(start, start, f"{written.id} = "), renamed)
            continue
        if isinstance(statement, ast.Expr) and statement.value is call and isinstance(func.value, ast.Name):
            start = page.start(statement)
            yield (Change(start, start, f"{func.value.id} = "), renamed)
        elif not isinstance(statement, ast.Expr):
            yield (renamed,)
