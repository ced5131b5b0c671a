"""How a library's class takes part: the interface behind `class Net(nn.Module)` and `nn.LSTM(...)`.

A subclass of `Native` is the behaviour of one family of classes (modules, optimizers, distributions, datasets...). The
machine owns the object; a native reads and writes its attributes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from secondpass.machine.values import MISSING, Class, Obj, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


class Native:
    """Facts of one library class. Every method may answer MISSING: "not mine"."""

    name = "object"

    def make(self, m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        """The value of `cls(...)` where it is not an ordinary object; MISSING for an ordinary one."""
        return MISSING

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        """The library's `__init__`."""

    def call(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        """`obj(...)`."""
        return MISSING

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        """`obj.name(...)` for methods that the library defines."""
        return MISSING

    def has_method(self, name: str) -> bool:
        """Whether `obj.name`, read without a call, is one of the library's methods."""
        return False

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        """`obj.name` for attributes that the library defines."""
        return MISSING

    def class_attribute(self, m: Machine, cls: Class, name: str, site: ast.AST) -> V:
        """`cls.name` for what the library defines on the class."""
        return MISSING

    def store(self, m: Machine, obj: Obj, name: str, value: V, site: ast.AST) -> bool:
        """`obj.name = value`; True when the library keeps it itself."""
        return False

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        """`for x in obj`."""
        return None

    def length(self, m: Machine, obj: Obj) -> V:
        """`len(obj)`."""
        return MISSING

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        """`obj[index]`."""
        return MISSING

    def set_item(self, m: Machine, obj: Obj, index: V, value: V, site: ast.AST) -> bool:
        """`obj[index] = value`; True when done."""
        return False

    def enter(self, m: Machine, obj: Obj, site: ast.AST) -> V:
        """`with obj`."""
        return obj

    def leave(self, m: Machine, obj: Obj, site: ast.AST) -> None:
        """The end of `with obj`."""
