"""The tables in which a module registers what it has: `_parameters`, `_buffers`, `_modules`, as live views.

A module's parameters and children are found among its attributes. What a program puts into one of the tables by itself
(`module._parameters["weight"] = weight - rate * grad`) is registered under its name, whatever it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from secondpass.machine.values import Dict, Obj, V
from secondpass.machine.views import Attributes

TABLES = frozenset(("_parameters", "_buffers", "_modules"))


def entered(obj: Obj, table: str) -> dict[str, Any]:
    """The names that were put into a table as such, in order; the buffers are all of these."""
    found: dict[str, Any] = obj.attrs.setdefault(f"@{table}", {})
    return found


class Register(Attributes):
    """One of the tables of a module."""

    __slots__ = ("names",)

    def __init__(self, obj: Obj, table: str, of_itself: Callable[[V], bool]) -> None:
        self.names = names = entered(obj, table)
        super().__init__(obj.attrs, lambda key, value: key in names or (key[0] != "@" and of_itself(value)))

    def __setitem__(self, key: Any, entry: tuple[V, V]) -> None:
        if isinstance(key, str):
            self.names[key] = True
            self.attrs[key] = entry[1]

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self.names.pop(key, None)


def table_of(obj: Obj, table: str, of_itself: Callable[[V], bool]) -> Dict:
    """`module._parameters` and its like."""
    return Dict(Register(obj, table, of_itself))


def replace_table(obj: Obj, table: str, of_itself: Callable[[V], bool], value: Dict) -> None:
    """`module._parameters = {...}`: what was registered there is no more."""
    found = Register(obj, table, of_itself)
    entries = dict(value.items)
    found.clear()
    found.update(entries)
