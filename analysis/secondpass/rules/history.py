"""What a whole run shows without any exception: graphs that grow iteration after iteration, flags that nothing needs.

Rules about growth read this. What places keep is asked of growing.py; what walks go through, of the walks themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from secondpass.findings import Span
from secondpass.machine.autograd import CONSTANT, path_to
from secondpass.machine.graph import Failure, Leaf, Node, Walk, reach
from secondpass.machine.record import Raise, Record
from secondpass.pytorch.operations import OPERATIONS
from secondpass.rules.advice import leaves
from secondpass.rules.growing import Growing
from secondpass.rules.places import span_of
from secondpass.rules.story import ADDING, Story, parting_loop


class History:
    """The record of one run that raises nothing, with what rules about growth ask of it.

    `others` are the records of the program's other runs; `complete` says that there are no further ones.
    """

    def __init__(self, record: Record, others: Sequence[Record] = (), complete: bool = False) -> None:
        self.record = record
        self._others = others
        self._complete = complete

    @cached_property
    def growing(self) -> Growing:
        return Growing(self.record, self._others)

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

    def stacked(self, story: Story) -> bool:
        """Whether a carry is meant: layers are put on top of each other, each walk asks about all of them, and nothing
        trains. What an iteration adds is weights alone: no data of its own, and no term of a sum."""
        if any(leaf.tensor.storage.written for leaf in leaves(list(story.second.roots))):
            return False
        late = [n for n in reach(list(story.second.roots)) if type(n) is Node and story.late(n.iterations)]
        fed = any(where == CONSTANT for n in late for _, _, _, where, _ in n.saved or ())
        return not fed and any(n.op not in ADDING for n in story.path if story.late(n.iterations))

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
        """Walks with `retain_graph=True` written out, after which nothing walked that graph again: in no run at all."""
        if not self._complete or not self.record.finished:
            return []
        needed: set[tuple[Span, ...]] = set()
        found: dict[tuple[Span, ...], Walk] = {}
        for record in (self.record, *self._others):
            for walk in record.walks:
                if walk.retain_site is None:
                    continue
                place = (span_of(walk.site), span_of(walk.retain_site))
                if walk.needed or walk.create or not walk.retain:
                    needed.add(place[1:])
                else:
                    found.setdefault(place, walk)
        return [walk for place, walk in found.items() if place[1:] not in needed]
