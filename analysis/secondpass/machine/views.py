"""Dicts that are seen through: the attributes of an object as a dict (`vars(obj)`, `module._parameters`).

What changes in the one changes in the other, as in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from secondpass.machine.values import MISSING, Dict, Obj, V


def public(name: str, value: V) -> bool:
    """Whether an attribute is one that the program can see; what natives keep starts with `@`."""
    return not name.startswith("@")


class Attributes(MutableMapping[Any, tuple[V, V]]):
    """The entries of a dict that is a view of attributes: those that it `shows`."""

    __slots__ = ("attrs", "shows")

    def __init__(self, attrs: dict[str, V], shows: Callable[[str, V], bool] = public) -> None:
        self.attrs = attrs
        self.shows = shows

    def __getitem__(self, key: Any) -> tuple[V, V]:
        value = self.attrs.get(key, MISSING) if isinstance(key, str) else MISSING
        if value is MISSING or not self.shows(key, value):
            raise KeyError(key)
        return key, value

    def __setitem__(self, key: Any, entry: tuple[V, V]) -> None:
        if isinstance(key, str):
            self.attrs[key] = entry[1]

    def __delitem__(self, key: Any) -> None:
        if key not in self:
            raise KeyError(key)
        del self.attrs[key]

    def _names(self) -> list[str]:
        return [key for key, value in self.attrs.items() if self.shows(key, value)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())


def namespace(obj: Obj) -> V:
    """`obj.__dict__`: its attributes, or the dict that the program has put in their place."""
    found = obj.attrs.get("@dict")
    return Dict(Attributes(obj.attrs)) if found is None else found
