"""A new tensor in place of a change in place: what autograd has saved stays as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .change import Change
from .scene import Candidate, Scene
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
    index_fill index_put log log1p log2 logit masked_fill masked_scatter mul neg pow reciprocal relu remainder round rsqrt
    scatter scatter_add sigmoid sign sin sqrt square sub tanh tril triu true_divide where""".split()
)
"""Methods whose name with `_` does the same in place."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    """`x += y` becomes `x = x + y`, `x.add_(y)` becomes `x = x.add(y)`, `inplace=True` goes."""
    story = scene.story
    storage = story.failure.storage if story is not None else None
    writer = storage.writer if storage is not None else None
    if writer is None or not scene.here(writer):
        return
    for changes in _changes(scene, writer):
        yield Candidate(
            "out-of-place",
            f"Let `{_short(scene.page.code(writer))}` make a new tensor (autograd keeps what it saved)",
            "safe",
            changes,
            5,
        )


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
        if isinstance(statement, ast.Expr) and statement.value is call and isinstance(func.value, ast.Name):
            start = page.start(statement)
            yield (Change(start, start, f"{func.value.id} = "), renamed)
        elif not isinstance(statement, ast.Expr):
            yield (renamed,)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
