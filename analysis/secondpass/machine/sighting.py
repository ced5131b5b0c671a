"""What the machine saw of one expression at one moment: for people who ask what a variable holds."""

from __future__ import annotations

from dataclasses import dataclass

from secondpass.machine.graph import Leaf, Node, Turns, Walk, reach
from secondpass.machine.values import Dict, Obj, Seq, Tensor, Unknown, V, Value, tensors_in


@dataclass(frozen=True, slots=True)
class Sighting:
    """A value as it was then: a graph may be consumed later, this says whether it already was."""

    turns: Turns
    kind: str
    """`tensor`, `parameter`, `container`, `module`, `constant`, `unknown` or `other`."""
    node: Node | None = None
    """The youngest autograd node behind it."""
    consumed: Walk | None = None
    """The walk that had consumed its graph by then, where that graph holds saved tensors."""
    stale: Node | None = None
    """The youngest node of that graph."""
    leaves: int = 0
    """How many leaves that require grad a walk from here would reach."""
    nodes: int = 0
    text: str = ""


def sighting(value: V, turns: Turns) -> Sighting:
    """Look at a value."""
    if type(value) is Tensor:
        return _tensor([value], turns, "parameter" if type(value.node) is Leaf else "tensor")
    if isinstance(value, (Seq, Dict)):
        inside = tensors_in(value)
        return _tensor(inside, turns, "container")
    if type(value) is Unknown:
        return Sighting(turns, "unknown", text=value.label)
    if type(value) is Obj:
        return Sighting(turns, "module", text=value.cls.name)
    return Sighting(turns, "other" if isinstance(value, Value) else "constant", text=repr(value)[:40])


def _tensor(tensors: list[Tensor], turns: Turns, kind: str) -> Sighting:
    nodes = [t.node for t in tensors if type(t.node) is Node]
    if not nodes:
        return Sighting(turns, kind)
    youngest = max(nodes, key=lambda n: n.seq)
    below = reach(list(nodes))
    stale = [n for n in below if type(n) is Node and n.frees and n.consumed is not None]
    first = max(stale, key=lambda n: n.seq) if stale else None
    leaves = sum(type(n) is Leaf for n in below)
    return Sighting(turns, kind, youngest, first.consumed if first else None, first, leaves, len(below) - leaves)
