"""A slice that is computed twice, as a function of its own that is called in both places."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .change import Change
from .places import FUNCTIONS, bound, exposed
from .scene import Scene


def extracted(
    scene: Scene, slice_: Sequence[ast.stmt], target: ast.stmt, made: Sequence[str]
) -> tuple[str, tuple[Change, ...]] | None:
    """The function's name, and the changes that make it, call it where the slice stood, and again before `target`.

    `made` are the names that the slice binds. None where it is no run of whole lines, or hands too much about.
    """
    page, places = scene.page, scene.places
    block = places.block(slice_[0])
    start = next(i for i, s in enumerate(block) if s is slice_[0])
    if list(slice_) != block[start : start + len(slice_)]:
        return None
    if not all(page.leads(s) and page.closes(s) for s in slice_):
        return None
    scope = places.function(slice_[0])
    if not isinstance(scope, (*FUNCTIONS, ast.Module)):
        return None
    top = places.chain(slice_[0], scope)[-1]
    if not top.lineno < slice_[0].lineno:  # not in a loop or branch: the function would stand right above its call
        top = slice_[0]
    outside = [n for n in places.nodes if isinstance(n, ast.Name) and not any(places.inside(n, s) for s in slice_)]
    read = {n.id for n in outside if isinstance(n.ctx, ast.Load)}
    returned = [name for name in made if name in read]
    given = _given(slice_, bound([top]) if top is not slice_[0] else set())
    if not returned or len(returned) > 3 or len(given) > 4:
        return None
    name = page.free_name(f"compute_{returned[-1].strip('_')}")
    indent, inner = page.indent(top), page.indent(top) + page.unit
    old = page.indent(slice_[0])
    first, last = page.line_start(slice_[0].lineno), page.line_end(slice_[-1].end_lineno or 0)
    lines = page.text[first:last].splitlines()
    if any(page.in_string_at_end(n) for n in range(slice_[0].lineno, (slice_[-1].end_lineno or 0) + 1)):
        return None
    body = [inner + line[len(old) :] if line.startswith(old) else line for line in lines]
    whole = [f"{indent}def {name}({', '.join(given)}):", *body, f"{inner}return {', '.join(returned)}"]
    blank = ["", ""] if isinstance(scope, ast.Module) else [""]
    apart = blank if top.lineno > 1 and page.source.line(top.lineno - 1).strip() else []
    call = f"{', '.join(returned)} = {name}({', '.join(given)})"
    above = page.line_start(top.lineno)
    text = page.eol.join([*apart, *whole, *blank, ""])
    here: tuple[Change, ...]
    if top is slice_[0]:
        here = (Change(first, last, text + f"{old}{call}"),)
    else:
        here = (Change(above, above, text), Change(first, last, f"{old}{call}"))
    return name, (*here, page.before(target, call))


def _given(slice_: Sequence[ast.stmt], changing: set[str]) -> list[str]:
    """The names that a slice reads before it binds them, of those that change from iteration to iteration."""
    return [name for name in exposed(list(slice_)) if name in changing]
