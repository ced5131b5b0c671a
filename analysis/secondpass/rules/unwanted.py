"""Whether graphs that a place keeps are of no use to anybody: nothing in the whole program walks them.

That is known only of a program that was followed to its end, and whose values were handed to nobody who may walk them.
A loop that trains has its own walk, so what that leaves aside is not wanted. A loop without walks is another matter: a
module's forward, a stack of layers, a demonstration keep their graph on purpose. There only what is computed anew from
the same weights in each iteration is told (predictions collected, losses summed up for a report), or a state that is
dropped with the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from secondpass.machine.graph import Iterations, Leaf, Node, Walk, reach
from secondpass.machine.record import Record, Store
from secondpass.rules.places import function_of, read_behind
from secondpass.rules.story import ADDING, links

CALLS = ("forward", "__call__")
"""What runs there is a module's forward."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What one place came to hold in each iteration of one execution of a loop."""

    loop: ast.AST
    outer: Iterations
    """The iterations around that execution."""
    stores: list[Store]

    def moment(self, iterations: Iterations) -> Iterations:
        """The iteration of the loop (and those around) in which something happened; what happens elsewhere compares
        unequal to all of them."""
        return iterations[: len(self.outer) + 1]

    def same(self, iterations: Iterations) -> Iterations:
        """The iteration of the loop in any of its executions; empty for what happens elsewhere."""
        return next((iterations[: i + 1] for i, (site, _) in enumerate(iterations) if site is self.loop), ())

    def during(self, node: Node) -> bool:
        """Whether a node was built in that execution of the loop."""
        here = self.moment(node.iterations)
        return len(here) > len(self.outer) and here[-1][0] is self.loop and here[:-1] == self.outer


def walks_of(node: Node) -> list[Walk]:
    """Every walk that is known to have gone through a node."""
    return [walk for walk in (*(node.keepers or ()), node.retained, node.consumed) if walk is not None]


def leads_to(node: Node, below: Node) -> bool:
    """Whether there is a way from a node down to another one."""
    return any(True for _ in _between(node, below))


def _between(node: Node, below: Node) -> Iterable[Node]:
    """The nodes on the ways from a node down to another one; nothing if there is no way."""
    seen: dict[Node, bool] = {below: True}
    todo: list[tuple[Node, bool]] = [(node, False)]
    while todo:
        at, done = todo.pop()
        if done:
            seen[at] = any(type(n) is Node and seen.get(n, False) for n in at.inputs)
            if seen[at]:
                yield at
        elif at not in seen and at.seq > below.seq:
            seen[at] = False
            todo.append((at, True))
            todo.extend((n, False) for n in at.inputs if type(n) is Node)


class Unwanted:
    """Asked of the graphs that grow in one run; `others` are the records of the program's other runs."""

    def __init__(self, record: Record, others: list[Record]) -> None:
        self._record = record
        self._others = others

    @cached_property
    def _closed(self) -> bool:
        """Whether the program was followed to its end: what is walked in it is known."""
        record = self._record
        return record.finished and not (
            record.entry or record.module or record.cuts or record.lost or record.rootless or record.raises
        )

    @cached_property
    def _handed(self) -> set[Node | Leaf]:
        """What calls that are not seen may walk."""
        return reach(list(self._record.escaped))

    def _never_walked(self, pieces: Pieces, nodes: list[Node]) -> bool:
        if not self._closed or any(walks_of(n) for n in nodes):
            return False
        if any(store.node in self._handed for store in pieces.stores):
            return False
        sites = {store.site for store in pieces.stores}
        return not any(o.lost or o.rootless or _walked_there(o, sites) for o in self._others)

    def chain(self, pieces: Pieces, nodes: list[Node]) -> bool:
        """Of a place whose value is built on its own: whether nothing ever walks what it keeps."""
        if not self._never_walked(pieces, nodes):
            return False
        if self._trains(pieces):
            return True
        if self._on_purpose(pieces):
            return False
        last, before = pieces.stores[-1], pieces.stores[-2]
        way = [n for n in _between(last.node, before.node) if n is not before.node]
        if all(n.op in ADDING for n in way):
            return _same_weights(pieces)
        return last.kind == "name" and not read_behind(pieces.loop, last.site) and _by_names_alone(pieces)

    def collection(self, pieces: Pieces, nodes: list[Node]) -> bool:
        """The same of a container: what it holds was computed in each iteration anew."""
        if not self._never_walked(pieces, nodes):
            return False
        if self._trains(pieces):
            return True
        return not self._on_purpose(pieces) and _same_weights(pieces)

    @cached_property
    def _walks(self) -> bool:
        """Whether the program walks anything at all."""
        return any(record.walks for record in (self._record, *self._others))

    def _on_purpose(self, pieces: Pieces) -> bool:
        """Whether a loop without walks may well keep its graph for what is done with it elsewhere."""
        return self._walks or pieces.loop in self._record.short or in_forward(pieces)

    def _trains(self, pieces: Pieces) -> bool:
        """Whether each iteration of the loop has walks of its own, and no loop around it starts the place anew."""
        if pieces.outer:
            return False
        moments = {pieces.moment(walk.iterations) for walk in self._record.walks}
        return all(pieces.moment(store.iterations) in moments for store in pieces.stores[:-1])


def _walked_there(record: Record, sites: set[ast.AST]) -> bool:
    return any(store.site in sites and walks_of(store.node) for store in record.stores)


def in_forward(pieces: Pieces) -> bool:
    """Whether the loop runs inside a module's forward."""
    inside = [function_of(pieces.loop)]
    inside += [function_of(link.site) for link in links(pieces.stores[-1].node.chain)]
    return any(function is not None and function.name in CALLS for function in inside)


def _by_names_alone(pieces: Pieces) -> bool:
    """Whether nothing but names of the loop's own function holds what is kept."""
    here = function_of(pieces.loop)
    holders = [h for store in pieces.stores for h in store.node.holders or ()]
    return all(h.kind == "name" and function_of(h.site) is here for h in holders)


def _same_weights(pieces: Pieces) -> bool:
    """Whether each iteration computed its part anew, from the same weights: they are older than the loop."""
    found: list[set[Leaf]] = []
    for store in pieces.stores[-2:]:
        own = [n for n in reach([store.node]) if type(n) is Node and pieces.during(n)]
        now = [n for n in own if pieces.moment(n.iterations) == pieces.moment(store.iterations)]
        if store.kind == "container" and len(now) < len(own):
            return False
        found.append({below for n in now for below in n.inputs if type(below) is Leaf})
    return bool(found[0]) and found[0] == found[1]
