"""What the machine saw of the expressions of a file: for people who ask what a variable holds.

One run watches every name, attribute, element and call of the file. Of each it keeps the states that differ, and the
iterations in which it was in each: a state is what a value was at that moment (a graph may be consumed later, a
sighting says whether it already was). How far graphs are followed is bounded for the run as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from secondpass.machine.graph import Iterations, Leaf, Node, Walk, reach
from secondpass.machine.values import Dict, Obj, Seq, Tensor, Unknown, V, tensors_in

WATCHED = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""The expressions that a person can ask about."""
STATES = 6
"""Differing states that are kept of one expression, and iterations that are kept of each."""
FOLLOWED = 400_000
"""Nodes that one run follows to tell states apart; when they are used up, two looks at each expression must do."""
DEEP = 6
"""How deep modules are looked into for their parameters."""


@dataclass(slots=True)
class Sighting:
    """One state of an expression."""

    kind: str
    """`tensor`, `parameter`, `container`, `module`, `number`, `unknown` or `other` (of which there is nothing to tell).
    """
    recording: bool = True
    """Whether autograd recorded then (it does not under `no_grad`)."""
    iterations: Iterations = ()
    """The loops that ran when it was first seen so."""
    node: Node | None = None
    """The youngest autograd node behind it."""
    consumed: Walk | None = None
    """The walk that had consumed its graph by then, where that graph holds saved tensors."""
    stale: Node | None = None
    """The youngest node of that graph."""
    leaves: frozenset[Leaf] = frozenset()
    """What requires grad: where a walk from here would end, or the parameters of a module."""
    nodes: int = 0
    text: str = ""
    """What kind of container it is, or the class of a module."""
    frozen: int = 0
    """How many parameters of a module do not require grad."""
    seen_in: list[int] = field(default_factory=list)
    """The iterations of the innermost loop in which it was so, the first few."""

    @property
    def earlier(self) -> bool:
        """Whether its graph was built in an earlier iteration of a loop that runs here too."""
        if self.node is None or not self.iterations or not self.node.iterations:
            return False
        built, here = self.node.iterations, self.iterations
        return built != here and built[: len(here)] != here[: len(built)]

    @property
    def state(self) -> tuple[object, ...]:
        """What tells it from another state, whichever iteration it was in."""
        return (
            self.kind,
            self.recording,
            self.node and self.node.site,
            self.earlier,
            self.consumed and self.consumed.site,
            self.stale and self.stale.site,
            self.iterations[-1][0] if self.iterations else None,
        )


class Sightings:
    """Everything that one run saw."""

    def __init__(self) -> None:
        self.of: dict[ast.AST, list[Sighting]] = {}
        self.names: dict[Leaf, str] = {}
        """What the program calls a parameter: `model.head.weight`."""
        self._left = FOLLOWED
        self._named: set[tuple[int, str, int]] = set()

    def see(self, node: ast.AST, value: V, iterations: Iterations, recording: bool) -> None:
        """This expression has this value now."""
        known = self.of.get(node)
        if known is None:
            known = self.of[node] = []
        elif self._left <= 0 and len(known) >= 2:
            return
        now = self._look(value)
        now.iterations, now.recording = iterations, recording
        if now.kind in ("module", "parameter") and type(node) is ast.Name:
            self._name(node.id, value)
        state = now.state
        same = next((one for one in known if one.state == state), None)
        if same is None:
            if len(known) >= STATES:
                return
            known.append(same := now)
        if iterations and len(same.seen_in) < STATES and iterations[-1][1] not in same.seen_in:
            same.seen_in.append(iterations[-1][1])

    def _look(self, value: V) -> Sighting:
        kind = type(value)
        if kind is Tensor:
            return self._tensors([value], "parameter" if type(value.node) is Leaf else "tensor")
        if kind is Seq or kind is Dict:
            inside = tensors_in(value)
            name = value.kind if isinstance(value, Seq) else "dict"
            return self._tensors(inside, "container", name) if inside else Sighting("other")
        if kind is Unknown:
            if value.history is not None:
                return self._tensors([value.tensor()], "tensor")
            known = {"number": "number", "data": "tensor", "module": "module"}.get(value.kind, "unknown")
            return Sighting(known)
        if kind is Obj:
            parameters = [t for _, t in parameters_in(value)]
            if parameters:
                leaves = frozenset(t.node for t in parameters if type(t.node) is Leaf)
                return Sighting("module", leaves=leaves, text=value.cls.name, frozen=len(parameters) - len(leaves))
            return Sighting("other")
        return Sighting("other")

    def _tensors(self, tensors: list[Tensor], kind: str, text: str = "") -> Sighting:
        nodes = [t.node for t in tensors if type(t.node) is Node]
        if not nodes:
            leaves = frozenset(t.node for t in tensors if type(t.node) is Leaf)
            return Sighting(kind, text=text, leaves=leaves)
        below = reach(list(nodes))
        self._left -= len(below)
        stale = [n for n in below if type(n) is Node and n.frees and n.consumed is not None]
        first = max(stale, key=lambda n: n.seq) if stale else None
        leaves = frozenset(n for n in below if type(n) is Leaf)
        return Sighting(
            kind,
            node=max(nodes, key=lambda n: n.seq),
            consumed=first.consumed if first else None,
            stale=first,
            leaves=leaves,
            nodes=len(below) - len(leaves),
            text=text,
        )

    def _name(self, name: str, value: V) -> None:
        """Name parameters after the variable that holds them; `self` does only until there is a better name."""
        if type(value) is Tensor:
            if type(value.node) is Leaf:
                self.names.setdefault(value.node, name)
            return
        known = (id(value), name, len(value.attrs) if type(value) is Obj else 0)
        if type(value) is not Obj or known in self._named:
            return
        self._named.add(known)
        for path, tensor in parameters_in(value):
            leaf = tensor.node
            if type(leaf) is Leaf and self.names.get(leaf, "self.").startswith("self."):
                self.names[leaf] = f"{name}.{path}"


def parameters_in(module: Obj, deep: int = DEEP) -> Iterator[tuple[str, Tensor]]:
    """The parameters among the attributes of an instance and of those below it, with dotted names."""
    for name, value in module.attrs.items():
        if type(value) is Tensor and value.parameter:
            yield name, value
        elif type(value) is Obj and deep:
            for path, tensor in parameters_in(value, deep - 1):
                yield f"{name}.{path}", tensor
