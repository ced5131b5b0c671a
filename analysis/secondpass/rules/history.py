"""What a whole run shows without any exception: graphs that grow iteration after iteration, flags that nothing needs.

Rules about growth read this. A graph counts as growing when what a place holds at the end of a loop's iterations
reaches nodes of several iterations, although walks in that loop have already used each iteration's graph up.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from secondpass.machine.autograd import path_to
from secondpass.machine.graph import Failure, Leaf, Node, Walk, reach
from secondpass.machine.record import Raise, Record, Store
from secondpass.pytorch.operations import OPERATIONS
from secondpass.rules.story import Story, parting_loop


@dataclass(slots=True)
class Growth:
    """A place that holds the graphs of several iterations of one loop."""

    store: Store
    """The last store into that place."""
    first: Node
    """A node of the earliest iteration that is still reached."""
    loop: ast.AST
    walk: Walk | None
    """A walk in that loop that has used up the graph of one of those iterations."""
    iteration: int
    kept: Node
    """What the place holds of that iteration, as the program names it: the loss, the value that was stored."""
    statistic: bool = False
    """Whether it is a running mean or the like, not a sum."""


class History:
    """The record of one finished run, with what rules about growth ask of it."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def grown(self, kinds: tuple[str, ...]) -> list[Growth]:
        """Places of these kinds that grow and are never walked themselves."""
        by_place: dict[object, list[Store]] = defaultdict(list)
        for store in self.record.stores:
            if store.kind in kinds:
                by_place[store.key].append(store)
        found: dict[ast.AST, Growth] = {}
        for stores in by_place.values():
            growth = self._collected(stores) if "append" in kinds else self._chained(stores)
            if growth is not None:
                found.setdefault(growth.store.site, growth)
        return list(found.values())

    def _chained(self, stores: list[Store]) -> Growth | None:
        """`total = total + loss`: the last value reaches back through the earlier ones."""
        last = stores[-1]
        node = last.node
        if node.consumed is not None or node.retained is not None or len(stores) < 2:
            return None
        below = sorted((n for n in reach([node]) if type(n) is Node), key=lambda n: n.seq)
        for site, iteration in last.iterations:
            earlier = [n for n in below if any(s is site and k < iteration for s, k in n.iterations)]
            if not earlier:
                continue
            walk = next((n.consumed for n in below if n.consumed is not None and self._in(n.consumed, site)), None)
            if walk is not None:
                return self._growth(stores, earlier, site, walk, iteration)
        if any(self._in(w, site) for site, _ in last.iterations for w in self.record.walks):
            return self._carried_unwalked(stores, below)
        return None

    def _growth(self, stores: list[Store], earlier: list[Node], loop: ast.AST, walk: Walk, iteration: int) -> Growth:
        """What of a place's earlier iterations is still reached; a value that is not simply added to is a statistic."""
        last, before = stores[-1].node, stores[-2].node
        summed = before is last or before in last.inputs
        return Growth(stores[-1], earlier[0], loop, walk, iteration, self._named(earlier, stores, loop), not summed)

    def _named(self, nodes: list[Node], stores: list[Store], loop: ast.AST) -> Node:
        """Of the first iteration's nodes the one to show: a loss that was walked, else what was stored, else the
        last."""
        first = min(k for n in nodes for s, k in n.iterations if s is loop)
        early = [n for n in nodes if any(s is loop and k == first for s, k in n.iterations)]
        roots = {id(root) for walk in self.record.walks for root in walk.roots}
        stored = {id(store.node) for store in stores}
        for known in (roots, stored):
            found = [n for n in early if id(n) in known]
            if found:
                return found[-1]
        return early[-1]

    def _carried_unwalked(self, stores: list[Store], below: list[Node]) -> Growth | None:
        """A statistic that no loss ever reads (`running = .9 * running + .1 * x`) in a loop that trains."""
        last = stores[-1]
        if last.kind != "attribute":
            return None
        for site, iteration in last.iterations:
            earlier = [n for n in below if any(s is site and k < iteration for s, k in n.iterations)]
            walk = next((w for w in self.record.walks if self._in(w, site)), None)
            if earlier and walk is not None:
                return self._growth(stores, earlier, site, walk, iteration)
        return None

    def _collected(self, stores: list[Store]) -> Growth | None:
        """`losses.append(loss)`: the container still holds a graph that its own iteration has used up."""
        for store in stores:
            held = store.held
            used = held.consumed or held.retained if held is not None else None
            if held is None or used is None or store.key in self.record.bounded:
                continue
            for site, iteration in store.iterations:
                if site in self.record.over_modules or (store.key, site) in self.record.emptied:
                    continue
                born = next((k for s, k in held.iterations if s is site), None)
                if born is not None and born < iteration and any(s is site and k == born for s, k in used.iterations):
                    return Growth(store, held, site, used, iteration, held)
        return None

    @staticmethod
    def _in(walk: Walk, site: ast.AST) -> bool:
        return any(s is site for s, _ in walk.iterations)

    def carried_by_retain(self) -> list[Story]:
        """Walks that go through what an earlier iteration's walk kept, each iteration further back than the one
        before."""
        found: dict[ast.AST, Story] = {}
        for kept in self.record.retained:
            parting = parting_loop(kept.earlier.iterations, kept.later.iterations)
            if parting is None or not any(s is parting[0] and k < parting[2] for s, k in kept.node.iterations):
                continue
            if kept.later.site not in found and self._rises(kept.later, parting[0]):
                path = path_to(kept.parent, kept.node)
                failure = Failure("retained", kept.node, kept.later, path)
                found[kept.later.site] = Story(Raise(failure, (), self.record.entry, (), self.record.detached))
        return list(found.values())

    def passed_over(self) -> list[Story]:
        """Values computed before a loop from weights that its iterations step, by operations that saved nothing."""
        found: dict[ast.AST, Story] = {}
        for kept in self.record.passed:
            parting = parting_loop(kept.earlier.iterations, kept.later.iterations)
            if parting is None or any(s is parting[0] for s, _ in kept.node.iterations):
                continue
            path = path_to(kept.parent, kept.node)
            failure = Failure("passed", kept.node, kept.later, path)
            story = Story(Raise(failure, (), self.record.entry, (), self.record.detached))
            if story.stale is kept.node and self._aged(kept.node, kept.earlier, parting[0]):
                found.setdefault(kept.node.site, story)
        return list(found.values())

    @staticmethod
    def _aged(node: Node, earlier: Walk, loop: ast.AST) -> bool:
        """Whether weights behind a value were stepped in the loop; a view's memory is the weights' own."""
        todo: list[tuple[Node | Leaf, bool]] = [(node, False)]
        seen: set[Node | Leaf] = set()
        while todo:
            at, copied = todo.pop()
            if type(at) is Leaf:
                storage = at.tensor.storage
                if copied and storage.written >= earlier.seq and any(s is loop for s, _ in storage.writer_iterations):
                    return True
            elif at not in seen and type(at) is Node:
                seen.add(at)
                fact = OPERATIONS.get(at.op)
                todo.extend((n, copied or fact is None or not fact.view) for n in at.inputs)
        return False

    def _rises(self, walk: Walk, loop: ast.AST) -> bool:
        """Whether the walks at one place execute more nodes from iteration to iteration."""
        counts: dict[int, int] = {}
        for other in self.record.walks:
            if other.site is walk.site:
                iteration = next((k for s, k in other.iterations if s is loop), None)
                if iteration is not None:
                    counts[iteration] = max(counts.get(iteration, 0), other.executed)
        ordered = [counts[k] for k in sorted(counts)]
        return len(ordered) >= 2 and all(a < b for a, b in pairwise(ordered))

    def needless_retains(self) -> list[Walk]:
        """Walks with `retain_graph=True` written out, after which nothing walked that graph again."""
        by_site: dict[ast.AST, list[Walk]] = defaultdict(list)
        for walk in self.record.walks:
            if walk.retain_site is not None:
                by_site[walk.site].append(walk)
        return [
            walks[0] for walks in by_site.values() if all(w.retain and not w.needed and not w.create for w in walks)
        ]
