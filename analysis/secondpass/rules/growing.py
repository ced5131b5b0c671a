"""What grows: what is reachable from a place that outlives an iteration is more in each iteration than in the one
before, and no walk is ever to use it.

A place grows in one of two ways. Its value is built on its own value of the iteration before (`total = total + loss`, a
running mean, a buffer that is written into), so that it leads back through all of them; or it is a container that holds
one graph more in each iteration. Either is told only where those graphs are not wanted: each iteration's own walk has
used its part up, or nothing in the whole program walks it (unwanted.py).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from secondpass.machine.graph import Iterations, Node, Walk, reach
from secondpass.machine.record import Record, Store
from secondpass.rules.story import iteration_in
from secondpass.rules.unwanted import Pieces, Unwanted, in_forward, leads_to, walks_of

EXECUTIONS = 2
"""Of a loop that is run again and again, so many times are looked at, the last ones."""


@dataclass(slots=True)
class Growth:
    """A place that holds the graphs of several iterations of one loop."""

    store: Store
    """The last store into that place."""
    loop: ast.AST
    walk: Walk | None
    """A walk in that loop that has used up the graph of one of those iterations."""
    iteration: int
    kept: Node
    """What the place holds of an earlier iteration, as the program names it: the loss, the value that was stored."""
    statistic: bool = False
    """Whether it is a running mean or the like, not a sum."""


class Growing:
    """The places of one run that grow. `others` are the records of the program's other runs."""

    def __init__(self, record: Record, others: Iterable[Record] = ()) -> None:
        self._record = record
        self._unwanted = Unwanted(record, list(others))

    def sums(self) -> list[Growth]:
        """Places whose value is built on their own value of the iteration before."""
        return self._found([s for s in self._record.stores if s.kind != "container"], self._chained)

    def containers(self) -> list[Growth]:
        """Lists and dicts that hold more in each iteration."""
        return self._found([s for s in self._record.stores if s.kind == "container"], self._collected)

    def _found(self, stores: list[Store], ask: Callable[[Pieces], Growth | None]) -> list[Growth]:
        places: dict[object, list[Store]] = defaultdict(list)
        for store in stores:
            places[store.key].append(store)
        found: dict[ast.AST, Growth] = {}
        for place in places.values():
            asked = (ask(pieces) for pieces in _pieces(place) if pieces.loop not in self._record.over_modules)
            growth = next((g for g in asked if g is not None), None)
            if growth is not None:
                found.setdefault(growth.store.site, growth)
        return list(found.values())

    def _chained(self, pieces: Pieces) -> Growth | None:
        """The last value leads back through those of all earlier iterations, and none of them is walked itself."""
        stores = pieces.stores
        if any(walks_of(store.node) for store in stores[1:]):
            return None
        if not all(_builds(after.node, before.node) for before, after in pairwise(stores)):
            return None
        last, before = stores[-1], stores[-2]
        now = pieces.moment(last.iterations)
        earlier = [
            n for n in reach([last.node]) if type(n) is Node and pieces.during(n) and pieces.moment(n.iterations) != now
        ]
        earlier.sort(key=lambda n: n.seq)
        if not earlier:
            return None
        if self._wanted(pieces):
            return None
        walk = next((w for n in earlier if (w := _own_walk(pieces, n, n.iterations)) is not None), None)
        if walk is None and not self._unwanted.chain(pieces, earlier):
            return None
        if walk is not None and walk.create and in_forward(pieces):
            # An optimization that is part of a model: who trains the model differentiates through all its steps.
            return None
        summed = before.node in last.node.inputs
        kept = self._named(earlier, pieces)
        return Growth(last, pieces.loop, walk, iteration_in(last.iterations, pieces.loop), kept, not summed)

    def _wanted(self, pieces: Pieces) -> bool:
        """Whether a walk of a later moment uses what the same statement stored, be it into another place."""
        sites = {store.site for store in pieces.stores}
        for store in self._record.stores:
            if store.site in sites and (moment := pieces.same(store.iterations)):
                depth = len(moment)
                if any(w.seq > store.seq and w.iterations[:depth] != moment for w in walks_of(store.node)):
                    return True
        return False

    def _named(self, nodes: list[Node], pieces: Pieces) -> Node:
        """Of the first iteration's nodes the one to show: a loss that was walked, else what was stored, else the
        last."""
        first = pieces.moment(min(nodes, key=lambda n: iteration_in(n.iterations, pieces.loop)).iterations)
        early = [n for n in nodes if pieces.moment(n.iterations) == first]
        roots = {root for walk in self._record.walks for root in walk.roots}
        stored = {store.node for store in pieces.stores}
        for known in (roots, stored):
            found = [n for n in early if n in known]
            if found:
                return found[-1]
        return early[-1]

    def _collected(self, pieces: Pieces) -> Growth | None:
        """The container holds one more from iteration to iteration, and the first of them is of no more use."""
        first, last = pieces.stores[0], pieces.stores[-1]
        if last.key in self._record.bounded or (last.key, pieces.loop) in self._record.emptied:
            return None
        if not all(_more(before, after) for before, after in pairwise(pieces.stores)):
            return None
        then = pieces.moment(first.iterations)
        if any(pieces.moment(walk.iterations) != then for walk in walks_of(first.node)):
            return None
        if self._wanted(pieces):
            return None
        own = [n for n in reach([first.node]) if type(n) is Node and pieces.moment(n.iterations) == then]
        own.sort(key=lambda n: n.seq)
        walk = next((w for n in own if (w := _own_walk(pieces, n, then)) is not None), None)
        if walk is None and not self._unwanted.collection(pieces, own):
            return None
        return Growth(last, pieces.loop, walk, iteration_in(last.iterations, pieces.loop), first.node)


def _pieces(stores: list[Store]) -> Iterator[Pieces]:
    """The stores into one place, by the executions of the loops around them: the outermost loop first, the last
    execution first. Of each iteration the last store counts."""
    groups: dict[tuple[int, ast.AST], dict[Iterations, dict[int, Store]]] = {}
    for store in stores:
        for depth, (loop, iteration) in enumerate(store.iterations):
            # What a name holds at the end of an iteration says nothing about the loops around; a part of something
            # that has its size is bounded by it, unless that is older than all loops.
            if (store.kind == "name" and depth + 1 < len(store.iterations)) or (store.part and depth):
                continue
            executions = groups.setdefault((depth, loop), {})
            executions.setdefault(store.iterations[:depth], {})[iteration] = store
    for depth, loop in sorted(groups, key=lambda group: group[0]):
        several = [(outer, found) for outer, found in groups[depth, loop].items() if len(found) > 1]
        for outer, found in reversed(several[-EXECUTIONS:]):
            yield Pieces(loop, outer, [found[k] for k in sorted(found)])


def _own_walk(pieces: Pieces, node: Node, iterations: Iterations) -> Walk | None:
    """The walk of the very iteration (of the loop) that has gone through a node of that iteration."""
    moment = pieces.moment(iterations)
    return next((walk for walk in walks_of(node) if pieces.moment(walk.iterations) == moment), None)


def _builds(after: Node, before: Node) -> bool:
    """Whether a value is a new one, built on the old one."""
    return after is not before and leads_to(after, before)


def _more(before: Store, after: Store) -> bool:
    return before.size is not None and after.size is not None and before.size < after.size
