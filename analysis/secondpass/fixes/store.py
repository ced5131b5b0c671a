"""Detach where the value is put away: `bank[i] = x.detach()`, `memory.append(x.detach())`, `self.h = h.detach()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from .change import Change
from .probe import Shape
from .scene import Candidate, Scene, short
from .shapes import detached


def candidates(scene: Scene) -> Iterator[Candidate]:
    """The stores that the story goes through: its holder's, and those of the same place elsewhere in the file."""
    together: dict[ast.stmt, list[ast.expr]] = {}
    for statement, value in _stores(scene):
        together.setdefault(statement, []).append(value)
    holder = scene.story.holder if scene.story is not None else None
    put = holder is not None and holder.kind in ("append", "element")
    made_once = scene.finding.rule in ("SP103", "SP105") and not scene.trained_behind
    rank = 6 if put else 7 if made_once else 36
    for index, (statement, values) in enumerate(together.items()):
        for group in ([values] if len(values) > 1 else []) + [[value] for value in values]:
            where = scene.page.code(statement.targets[0] if isinstance(statement, ast.Assign) else group[0])
            yield Candidate(
                "detach-at-store",
                f"Detach what `{short(where)}` keeps (later steps do not train what made it)",
                "changes-gradients",
                partial(_cut, scene, statement, group),
                rank + index * 0.1 + (0 if len(group) == len(values) else 0.05),
            )


def _cut(scene: Scene, statement: ast.stmt, values: list[ast.expr]) -> tuple[Change, ...] | None:
    made: list[Change] = []
    for value in values:
        text, shape = scene.page.code(value), _stored(scene, statement, value)
        if shape is None:
            return None
        new = detached(text, shape) if isinstance(value, ast.Name) else None
        if not isinstance(value, ast.Name) and shape.kind == "tensor":
            new = f"{text if _closed(value) else f'({text})'}.detach()"
        if new is None:
            return None
        made.append(scene.page.replace(value, new))
    return tuple(made)


def _stored(scene: Scene, statement: ast.stmt, value: ast.expr) -> Shape | None:
    """The shape of what is stored: of a name before the store, of anything else by the place it was stored to."""
    if isinstance(value, ast.Name):
        return scene.shape_at(value.id, statement)
    block = scene.places.block(statement)
    index = next(i for i, s in enumerate(block) if s is statement) + 1
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], (ast.Name, ast.Attribute, ast.Subscript)):
        target = scene.page.code(statement.targets[0])
        seen = scene.look(block, index, [target]).get(target)
        return seen.settled if seen is not None else None
    return None


def _stores(scene: Scene) -> Iterator[tuple[ast.stmt, ast.expr]]:
    story, places = scene.story, scene.places
    if story is None:
        return
    seen: set[ast.AST] = set()
    for node in (story.stale, story.node):
        sites = [node.holder.site] if node.holder is not None else []
        sites += [node.site, *(reversed(node.chain.sites()) if node.chain else [])]
        for site in sites:
            if not scene.here(site):
                continue
            statement = places.statement(site)
            if statement in seen:
                continue
            seen.add(statement)
            call = site if isinstance(site, ast.Call) else None
            stored = (
                call is not None
                and isinstance(call.func, ast.Attribute)
                and call.func.attr in ("append", "add", "push", "extend", "insert", "appendleft")
            )
            if stored and call is not None and call.args and call.func.attr != "extend":  # type: ignore[attr-defined]
                yield statement, call.args[-1]
            elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                value = statement.value
                if isinstance(target, (ast.Attribute, ast.Subscript)):
                    yield statement, value
                elif (
                    isinstance(target, ast.Tuple)
                    and isinstance(value, ast.Tuple)
                    and len(target.elts) == len(value.elts)
                ):
                    for one, part in zip(target.elts, value.elts, strict=True):
                        if isinstance(one, (ast.Attribute, ast.Subscript)):
                            yield statement, part


def _closed(value: ast.expr) -> bool:
    return isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
