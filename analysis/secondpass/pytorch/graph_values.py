"""`t.grad_fn`, hook handles: the graph as the program itself may look at it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from secondpass.machine.graph import Failure, Node
from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Class, Obj, Seq, Unknown, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


class GradFn(Native):
    """An autograd node in the program's hands. Reading a released saved tensor raises by itself."""

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        node: Node = obj.attrs["@node"]
        if name == "next_functions":
            return Seq("tuple", [Seq("tuple", [grad_fn(m, n) if type(n) is Node else None, 0]) for n in node.inputs])
        if name.startswith("_saved_"):
            if node.frees and node.consumed is not None:
                m.fail(Failure("second-time", node, node.consumed, [node], None, site))
            return Unknown("data", name)
        if name == "@names":
            return Seq("list", ["_saved_self"] if node.frees else [])
        return MISSING

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "name":
            return obj.attrs["@node"].op
        return MISSING


_CLASS = Class("Node", [], {}, GradFn())


def grad_fn(m: Machine, node: Node) -> Obj:
    """The one value that stands for a node."""
    known: dict[int, tuple[Obj, Node]] = m.state.setdefault("grad_fn", {})
    found = known.get(id(node))
    if found is None:
        obj = Obj(_CLASS)
        obj.attrs["@node"] = node
        found = known[id(node)] = (obj, node)
    return found[0]


class Handle(Native):
    """What `register_hook` returns."""

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "remove":
            hooks: list[Any] = obj.attrs["@hooks"]
            if obj.attrs["@hook"] in hooks:
                hooks.remove(obj.attrs["@hook"])
            return None
        return MISSING


_HANDLE = Class("RemovableHandle", [], {}, Handle())


def hook_handle(hooks: list[Any], hook: V) -> Obj:
    obj = Obj(_HANDLE)
    obj.attrs["@hooks"], obj.attrs["@hook"] = hooks, hook
    return obj
