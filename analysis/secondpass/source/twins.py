"""Pieces of syntax that stand for others at the same place: what `x += 1` reads, the name that `import a` binds.

They hang on the piece they stand for, so that both have the same place for ever, and one for each use is enough.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeVar, cast

_N = TypeVar("_N", bound=ast.AST)


def twin(node: ast.AST, use: str, make: Callable[[], _N]) -> _N:
    """The piece of syntax made for a use at the place of `node`; made once."""
    held: dict[str, ast.AST] = node.__dict__.setdefault("twins", {})
    if use not in held:
        held[use] = ast.copy_location(make(), node)
    return cast("_N", held[use])


def twins_of(node: ast.AST) -> Iterable[ast.AST]:
    held: dict[str, ast.AST] = node.__dict__.get("twins", {})
    return held.values()
