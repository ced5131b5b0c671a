"""What a run of an entry hangs on beside its own code, so that it need not be run again after an edit elsewhere.

An entry stands apart if all it takes from the file's names are things that no run changes (functions, classes,
constants, names of libraries) and if it changes nothing that outlives it. Run again, it would do the same for as long
as those names mean the same. Whatever is not certainly so makes it hang on the rest of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from secondpass.machine.values import (
    MISSING,
    Builtin,
    Class,
    External,
    Function,
    Module,
    Partial,
    Property,
    Static,
    V,
    constant,
)


class Watch:
    """What one entry took from outside of itself."""

    __slots__ = ("_names", "_sure", "apart")

    def __init__(self) -> None:
        self.apart = True
        """Whether the entry hangs on nothing that a run can change, and changes nothing that outlives it."""
        self._names: dict[tuple[str, str], Any] = {}
        self._sure: set[tuple[int, str]] = set()

    def name(self, names: dict[str, V], key: str, value: V) -> None:
        """A name of a file was read."""
        if (id(names), key) in self._sure:
            return
        self._sure.add((id(names), key))
        if not fixed(value):
            self.apart = False
        else:
            self._names[names.get("@path", ""), key] = meaning(value)

    def holds(self, names: Callable[[str], dict[str, V]]) -> bool:
        """Whether what was read still means the same after another run, that left these `names` in each file."""
        return self.apart and all(
            fixed(value) and meaning(value) == was
            for (path, key), was in self._names.items()
            for value in (names(path).get(key, MISSING),)
        )


def meaning(value: V) -> Any:
    """What a fixed value is, so that it can be compared with that of another run."""
    kind = type(value)
    if kind is Function or kind is Class:
        return kind, id(value.node) if value.node is not None else value.name
    if kind is External:
        return kind, value.path
    if kind is Builtin:
        return kind, value.name
    if kind is Module:
        return kind, value.vars.get("@path")
    return kind, value


def fixed(value: V, depth: int = 3) -> bool:
    """Whether a value stays as it is, whatever a run does with it."""
    if constant(value) or value is MISSING:
        return not isinstance(value, (list, dict, set))
    kind = type(value)
    if kind is External or kind is Builtin:
        return True
    if kind is Function:
        return (
            value.closure is None
            and not value.attrs
            and all(fixed(one, 0) for one in (*value.defaults, *value.kw_defaults.values()))
        )
    if not depth:
        return False
    if kind is Property:
        return not value.cached and fixed(value.getter, depth - 1) and fixed(value.setter, depth - 1)
    if kind is Static:
        return fixed(value.func, depth - 1)
    if kind is Partial:
        return fixed(value.func, depth - 1) and all(fixed(a, 0) for a in (*value.args, *value.kwargs.values()))
    if kind is Class:
        return all(
            fixed(one, depth - 1) if key[0] != "@" else key != "@fields" or all(fixed(v, 0) for v in one.values())
            for cls in value.mro
            for key, one in cls.attrs.items()
        )
    if kind is Module:
        return all(fixed(one, depth - 1) for key, one in value.vars.items() if key[0] not in "@_")
    return False
