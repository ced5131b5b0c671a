"""The patterns of `match`: True, False, or None where the machine cannot know."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from secondpass.machine import containers, operators
from secondpass.machine.builtins import is_instance
from secondpass.machine.machine import Frame
from secondpass.machine.values import MISSING, Dict, Seq, Unknown, V

if TYPE_CHECKING:
    from secondpass.machine.compiler.core import Compiler, Scope

Matches = Callable[[Frame, V], "bool | None"]


def matcher(c: Compiler, node: ast.pattern, scope: Scope) -> Matches:
    """A pattern as a closure that also binds its captures."""
    m = c.m
    node.unit = c.unit  # type: ignore[attr-defined]
    if isinstance(node, ast.MatchValue):
        value = c.expr(node.value, scope)
        return lambda f, v: m.truth(operators.compare(m, ast.Eq, v, value(f), node.value))
    if isinstance(node, ast.MatchSingleton):
        constant = node.value
        return lambda f, v: None if type(v) is Unknown else v is constant
    if isinstance(node, ast.MatchOr):
        parts = [matcher(c, p, scope) for p in node.patterns]
        return lambda f, v: _any([p(f, v) for p in parts])
    if isinstance(node, ast.MatchAs):
        inner = matcher(c, node.pattern, scope) if node.pattern is not None else None
        name = node.name

        def capture(f: Frame, v: V) -> bool | None:
            side = inner(f, v) if inner is not None else True
            if side is not False and name is not None:
                f.vars[name] = v
            return side

        return capture
    if isinstance(node, ast.MatchSequence):
        return _sequence(c, node, scope)
    if isinstance(node, ast.MatchMapping):
        return _mapping(c, node, scope)
    if isinstance(node, ast.MatchClass):
        return _class(c, node, scope)
    return lambda f, v: None


def _any(sides: list[bool | None]) -> bool | None:
    return True if True in sides else None if None in sides else False


def _all(sides: list[bool | None]) -> bool | None:
    return False if False in sides else None if None in sides else True


def _sequence(c: Compiler, node: ast.MatchSequence, scope: Scope) -> Matches:
    star = next((i for i, p in enumerate(node.patterns) if isinstance(p, ast.MatchStar)), None)
    parts = [matcher(c, p, scope) if not isinstance(p, ast.MatchStar) else None for p in node.patterns]
    star_pattern = node.patterns[star] if star is not None else None
    star_name = star_pattern.name if isinstance(star_pattern, ast.MatchStar) else None

    def run(f: Frame, v: V) -> bool | None:
        if type(v) is Unknown:
            return None
        if type(v) is not Seq:
            return False
        items = list(v.items)
        if star is None:
            if len(items) != len(parts):
                return None if v.open else False
        else:
            if len(items) < len(parts) - 1:
                return False
            after = len(parts) - star - 1
            middle = items[star : len(items) - after]
            if star_name is not None:
                f.vars[star_name] = Seq("list", middle)
            items = [*items[:star], None, *items[len(items) - after :]]
        return _all([p(f, x) for p, x in zip(parts, items, strict=False) if p is not None])

    return run


def _mapping(c: Compiler, node: ast.MatchMapping, scope: Scope) -> Matches:
    parts = [(c.expr(k, scope), matcher(c, p, scope)) for k, p in zip(node.keys, node.patterns, strict=True)]

    def run(f: Frame, v: V) -> bool | None:
        if type(v) is not Dict:
            return None if type(v) is Unknown else False
        sides: list[bool | None] = []
        for key, part in parts:
            found = containers.look_up(v, key(f))
            sides.append(part(f, found) if found is not MISSING else None if v.open else False)
        return _all(sides)

    return run


def _class(c: Compiler, node: ast.MatchClass, scope: Scope) -> Matches:
    m = c.m
    cls = c.expr(node.cls, scope)
    named = [(k, matcher(c, p, scope)) for k, p in zip(node.kwd_attrs, node.kwd_patterns, strict=True)]
    positional = [matcher(c, p, scope) for p in node.patterns]

    def run(f: Frame, v: V) -> bool | None:
        kind = cls(f)
        side = is_instance(m, v, kind)
        if side is False:
            return False
        sides: list[bool | None] = [side]
        if positional and (type(v) is not Seq or not v.fields):
            # `case str(x)`: the one positional pattern of a built-in type is the value itself.
            fields = [x for c_ in getattr(getattr(v, "cls", None), "mro", []) for x in c_.attrs.get("@fields", {})]
            values = [m.getattr(v, x, node) for x in fields] if fields else [v]
            sides += [p(f, x) for p, x in zip(positional, values, strict=False)]
        elif positional:
            sides += [p(f, x) for p, x in zip(positional, v.items, strict=False)]
        for key, part in named:
            sides.append(part(f, m.getattr(v, key, node)))
        return _all(sides)

    return run
