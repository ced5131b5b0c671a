"""What names hold at a place of the program: the machine runs it once more and looks.

Statements that show a value are put into the tree for the length of one run. What they show decides which places carry
a used-up graph into the next iteration, and in which shape (a tensor, a pair, a list of pairs, attributes of an
object).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ..collecting import held_off
from ..machine.graph import Leaf, Node, reach
from ..machine.machine import Machine
from ..machine.run import run_program
from ..machine.values import Dict, External, Obj, Seq, Tensor, Unknown, V
from ..pytorch.library import PyTorch
from ..pytorch.modules import Module
from ..pytorch.operands import as_tensor
from ..settings import Budget
from ..source.source import Source
from .reach import without

if TYPE_CHECKING:
    from ..project.modules import Project

MODULE = "secondpass_probe"
"""The name under which the library hears of a value; no such module exists."""

Kind = Literal["tensor", "none", "tuple", "list", "dict", "fields", "object", "modules", "unknown", "other"]
DEPTH = 5


@dataclass(slots=True)
class Shape:
    """How a value is built, as far as tensors with history are concerned."""

    kind: Kind
    items: list[Shape] = field(default_factory=list)
    keys: list[Any] = field(default_factory=list)
    """For a dict its keys, for an object or a named tuple the names of its fields."""
    stale: bool = False
    """Whether a tensor in it hangs on a graph that a walk has already used up (or kept)."""
    history: bool = False
    """Whether a tensor in it has any history."""
    sites: frozenset[ast.AST] = frozenset()
    """Where the used-up nodes behind it were built."""
    cls: str = ""
    module: bool = False
    """Whether it is an `nn.Module`."""
    grows: bool = False
    """Whether it is a list or dict that has more elements from iteration to iteration (or holds one that has)."""
    was_none: bool = False
    """Whether it was None at some other moment at the same place."""


@dataclass(slots=True)
class Seen:
    """The shapes of one expression, moment by moment."""

    shapes: list[Shape] = field(default_factory=list)

    @property
    def stale(self) -> Shape | None:
        """The first moment at which it held a used-up graph."""
        shape = next((one for one in self.shapes if one.stale), None)
        if shape is not None and any(one.kind == "none" for one in self.shapes):
            shape.was_none = True
        if shape is not None:
            later = self.shapes[self.shapes.index(shape) + 1 :]
            _mark_growth(shape, later[0] if later else None, self.shapes[0])
        return shape

    @property
    def settled(self) -> Shape | None:
        """The shape that all moments agree on, perhaps besides None; None if they do not, or there was no moment."""
        there = [shape for shape in self.shapes if shape.kind != "none"]
        told = [shape for shape in there if shape.kind != "unknown"] or there
        if not told or not all(_agree(shape, told[-1]) for shape in told):
            return None
        return replace(told[-1], was_none=len(there) < len(self.shapes))


def _agree(one: Shape, other: Shape) -> bool:
    """Whether two values are built alike, so that one expression detaches both."""
    if one.kind != other.kind or one.cls != other.cls:
        return False
    if one.kind == "list":  # may grow from iteration to iteration
        return all(_agree(a, b) for a, b in zip(one.items, other.items, strict=False))
    if one.kind in ("tuple", "fields", "dict", "object"):
        return (
            one.keys == other.keys and len(one.items) == len(other.items) and all(map(_agree, one.items, other.items))
        )
    return True


def _mark_growth(shape: Shape, later: Shape | None, first: Shape) -> None:
    """A list of which an iteration adds to what the iteration before has left."""
    other = later or first
    if shape.kind == "list" and other.kind == shape.kind:
        sizes = (len(shape.items), len(later.items)) if later else (len(first.items), len(shape.items))
        shape.grows = sizes[0] < sizes[1]
    elif shape.kind == "object" and other.kind == "object":
        for name, item in zip(shape.keys, shape.items, strict=True):
            if name in other.keys and item.stale:
                there = other.items[other.keys.index(name)]
                _mark_growth(item, there if later else None, there if not later else item)


class _Watching(PyTorch):
    """PyTorch, and what the probes are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, Seen] = {}

    def call(self, m: Machine, external: External, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if external.path == MODULE:
            self.seen.setdefault(args[0], Seen()).shapes.append(shape_of(args[1]))
            return None
        return super().call(m, external, args, kwargs, site)


def look(
    main: Source,
    source: Source,
    block: list[ast.stmt],
    index: int,
    expressions: Iterable[str],
    budget: Budget,
    project: Project | None = None,
    leaving: set[str] | None = None,
    *,
    entered: bool = True,
) -> dict[str, Seen]:
    """What these expressions hold whenever the run of `main` comes to `block[index]` of `source`.

    Unbound ones are left out. `source` is `main` itself or another file of the project.

    `leaving` names definitions of the file that need not be there; unless `entered`, only the script itself is run.
    """
    beside = block[min(index, len(block) - 1)]
    shown = _statements(beside, expressions)
    tree = source.tree
    library = _Watching()
    brought = ast.Import(names=[ast.alias(name=MODULE)])
    docstring = bool(tree.body) and isinstance(tree.body[0], ast.ImportFrom) and tree.body[0].module == "__future__"
    block[index:index] = shown
    first = 1 if docstring else 0
    tree.body.insert(first, _at(brought, tree.body[0]))
    try:
        with held_off(), without(main.tree, leaving or set()):
            once = Budget(budget.turns, 1, budget.depth, budget.steps)
            run_program(main.tree, main, library, once, project, entered=entered)
    finally:
        tree.body.remove(brought)
        for statement in shown:
            block.remove(statement)
    return library.seen


def _statements(beside: ast.stmt, expressions: Iterable[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for expression in expressions:
        text = f"try:\n {MODULE}({expression!r}, {expression})\nexcept Exception:\n pass"
        statement = ast.parse(text).body[0]
        found.append(_at(statement, beside))
    return found


def _at(statement: ast.stmt, beside: ast.stmt) -> ast.stmt:
    for node in ast.walk(statement):
        if hasattr(node, "lineno") or isinstance(node, (ast.stmt, ast.alias)):
            ast.copy_location(node, beside)
    return statement


def shape_of(value: V, depth: int = DEPTH, seen: frozenset[int] = frozenset()) -> Shape:
    if value is None:
        return Shape("none")
    if type(value) is Tensor:
        return _tensor(value)
    if type(value) is Unknown:
        behind = as_tensor(value)
        return replace(_tensor(behind), kind="unknown") if behind is not None else Shape("unknown")
    if not depth or id(value) in seen:
        return Shape("other")
    seen = seen | {id(value)}
    if type(value) is Seq:
        items = [shape_of(item, depth - 1, seen) for item in value.items]
        if value.fields is not None:
            return _gathered(Shape("fields", items, list(value.fields)))
        kinds: dict[str, Kind] = {"tuple": "tuple", "list": "list", "deque": "list"}
        return _gathered(Shape(kinds.get(value.kind, "other"), items, cls=value.kind))
    if type(value) is Dict:
        pairs = list(value.items.values())
        return _gathered(Shape("dict", [shape_of(v, depth - 1, seen) for _, v in pairs], [k for k, _ in pairs]))
    if type(value) is Obj:
        named = [(name, item) for name, item in value.attrs.items() if not name.startswith("@")]
        items = [shape_of(v, depth - 1, seen) for _, v in named]
        module = isinstance(value.cls.native_base(), Module)
        shape = Shape("object", items, [n for n, _ in named], cls=value.cls.name, module=module)
        return _gathered(shape)
    return Shape("other")


def _tensor(tensor: Tensor) -> Shape:
    if type(tensor.node) is not Node:
        return Shape("tensor")
    below: Sequence[Node | Leaf] = list(reach([tensor.node]))
    used = [n for n in below if type(n) is Node and (n.consumed or n.retained)]
    return Shape("tensor", history=True, stale=bool(used), sites=frozenset(n.site for n in used))


def _gathered(shape: Shape) -> Shape:
    shape.stale = any(item.stale for item in shape.items)
    shape.history = any(item.history for item in shape.items)
    shape.sites = frozenset().union(*(item.sites for item in shape.items))
    return shape
