"""The names a statement reads and binds, read again from its text when a story needs them."""

from __future__ import annotations

import ast
import contextlib
from typing import NamedTuple

from .markers import SOURCES, Site, dotted


class Names(NamedTuple):
    """What a statement reads and what it binds or fills, as written."""

    loads: set[str]
    stores: set[str]
    in_place: bool


_FILLS = {"append", "extend", "add", "insert", "update", "setdefault", "appendleft", "push", "put", "store"}


def names_of(site: Site) -> Names:
    """Reads the statement of a site again from its text."""
    names = Names(set(), set(), False)
    with contextlib.suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(SOURCES.get(site.path, ""))):
            if isinstance(node, ast.stmt) and node.lineno == site.line:
                return _names(node)
    return names


def _names(node: ast.stmt) -> Names:
    loads: set[str] = set()
    stores: set[str] = set()
    in_place = isinstance(node, ast.AugAssign)
    parts: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        if name not in ("body", "orelse", "finalbody", "handlers", "cases"):
            parts.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.AST))
    for part in (inner for outer in parts for inner in ast.walk(outer)):
        if isinstance(part, (ast.Name, ast.Attribute)):
            text = dotted(part)
            (stores if isinstance(part.ctx, ast.Store) else loads).add(text)
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            stores.add(dotted(part.value))
            in_place = True
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            if part.func.attr in _FILLS:
                stores.add(dotted(part.func.value))
            in_place = in_place or (part.func.attr.endswith("_") and not part.func.attr.endswith("__"))
    if isinstance(node, ast.AugAssign):
        loads |= stores
    return Names(loads - {""}, stores - {""}, in_place)
