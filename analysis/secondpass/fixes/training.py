"""Which parameters a run trains, and which of them a fix would leave without a gradient.

A cut is a fix only as far as what lies behind it need not be trained: a `detach()` or `no_grad()` that takes a
parameter its only gradient stops its training without a word. So the leaves that walks reach are compared, those that
an optimizer steps where there is one, between the program as it is, its fixes, and one fix and another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from ..machine.graph import Iterations, Leaf, Node, reach
from ..machine.record import Record
from ..source.source import Source
from .places import Places

Place: TypeAlias = "tuple[str, int]"
"""A file and the offset in it at which an expression starts."""
Born: TypeAlias = "tuple[Place, ...]"
"""Where a parameter is made: the innermost expression, then the calls around it."""
Share: TypeAlias = "tuple[Born, Place, Born]"
"""A contribution to what a parameter learns: the parameter, the walk, and the place at which it is used."""


@dataclass(slots=True)
class Training:
    """The parameters that walks give a gradient, by where they are made, each with in how many iterations."""

    iterations: dict[Born, int] = field(default_factory=dict)
    leaves: dict[Born, Leaf] = field(default_factory=dict)
    """One of those that are made there."""
    steps: bool = False
    """Whether some parameter is stepped: then only such ones count."""

    shares: dict[Share, int] = field(default_factory=dict)
    """What moves parameters at steps, each with in how many walks."""
    anew: set[tuple[Born, Place]] = field(default_factory=set)
    """Parameters and walks between which something goes that a fix has written."""
    asks: bool = False
    """Whether no walk leaves a gradient behind, and those that are asked for stand in their place."""


def training(records: Iterable[Record]) -> Training:
    found = Training()
    for record in records:
        reached: dict[Leaf, set[Iterations]] = {}
        for walk in record.walks:
            if _asks(walk.site):
                continue
            for node in reach(walk.roots):
                if type(node) is Leaf:
                    reached.setdefault(node, set()).add(walk.iterations)
        if not reached:  # a program that asks for its gradients and steps by itself
            found.asks = found.asks or bool(record.walks)
            for walk in record.walks:
                reached.update({node: {walk.iterations} for node in reach(walk.roots) if type(node) is Leaf})
        stepped = {leaf for leaf in reached if _stepped(leaf, record)}
        found.steps = found.steps or bool(stepped)
        for leaf in stepped or reached:
            born = _born(leaf)
            if born:
                found.iterations[born] = max(found.iterations.get(born, 0), len(reached[leaf]))
                found.leaves[born] = leaf
        _share(found, record, stepped or set(reached))
    return found


def _share(found: Training, record: Record, learning: set[Leaf]) -> None:
    """Adds through which walks, and from which of its uses, each parameter of a record is moved at the next step."""
    fed: dict[int, set[Leaf]] = {}
    for leaf, orders in record.trained.items():
        for order in orders:
            fed.setdefault(order, set()).add(leaf)
    if not record.moments:  # no optimizer steps: whatever a walk leaves behind is meant
        whole = [walk for walk in record.walks if not _asks(walk.site)]
        fed = {walk.order: learning & reach(walk.roots) for walk in whole}
    shares: dict[Share, set[int]] = {}
    for order, leaves in fed.items():
        walk = record.walks[order]
        if not hasattr(walk.site, "unit"):
            continue
        at = place(walk.site)
        for node in reach(walk.roots):
            for below in node.inputs if type(node) is Node else ():
                if type(below) is Leaf and below in leaves:
                    shares.setdefault((_born(below), at, _born(node)), set()).add(order)
    for share, walks in shares.items():
        found.shares[share] = max(found.shares.get(share, 0), len(walks))


def _stepped(leaf: Leaf, record: Record) -> bool:
    """Whether a step moved a leaf, or, where the program ended before that, whether an optimizer has it."""
    moved = bool(record.walks) and leaf.tensor.storage.written >= record.walks[0].seq
    return moved or (leaf.optimized and not record.finished)


def _asks(site: ast.AST) -> bool:
    """Whether a walk only asks for gradients (`autograd.grad`) and leaves none behind."""
    return isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute) and site.func.attr == "grad"


def _born(leaf: Leaf | Node) -> Born:
    sites = [leaf.site, *(reversed(leaf.chain.sites()) if leaf.chain is not None else [])]
    return tuple(place(site) for site in sites if site is not None and hasattr(site, "unit"))


def place(site: ast.AST) -> Place:
    """The file of a node and the offset at which it starts."""
    source: Source = site.unit  # type: ignore[attr-defined]
    line: int = site.lineno  # type: ignore[attr-defined]
    return source.path, source.table.offset(line, source.table.column(line, site.col_offset))  # type: ignore[attr-defined]


def named(leaf: Leaf) -> str:
    """What a parameter, or the module that it is a part of, is called where it is made; "" if it has no name there."""
    for site in (leaf.site, *(reversed(leaf.chain.sites()) if leaf.chain is not None else ())):
        if site is None or not hasattr(site, "unit"):
            continue
        places = _places(site.unit)
        if site not in places.parents:
            continue
        name = _target(places, site)
        if name:
            return name
    return ""


@lru_cache(maxsize=2)
def _places(source: Source) -> Places:
    return Places(source.tree)


def _target(places: Places, site: ast.AST) -> str:
    """The name to which the statement around an expression binds its value (of a tuple, the element in its place)."""
    statement = places.statement(site)
    if isinstance(statement, ast.AnnAssign):
        return ast.unparse(statement.target)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, part in zip(target.elts, value.elts, strict=True):
            if places.inside(site, part):
                target = one
    return ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)) else ""
