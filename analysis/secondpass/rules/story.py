"""The story of one failing walk: what was built where, consumed by whom, carried how, entered and walked again.

A `Failure` is raw: a node, the walk that met it, the path between. A `Story` names the parts that every rule speaks
of, so that a rule is a condition and a sentence. Who carries the graph is chosen in carrier.py, the witness told in
steps.py, the help in advice.py.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from secondpass.findings import RaisesAt, Span, Step
from secondpass.machine.graph import Chain, Holder, Iterations, Leaf, Node, Walk
from secondpass.machine.record import Raise
from secondpass.rules.carrier import Carrier, carrier_of
from secondpass.rules.places import function_of, header_of, line_of, span_of, surface_line, text_of, unit_of

ADDING = frozenset(
    [
        "add",
        "add.scalar",
        "add.rscalar",
        "add_",
        "add_.scalar",
        "sub",
        "sub.scalar",
        "sub_",
        "sum",
        "sum.dim",
        "mean",
        "mean.dim",
        "stack",
        "cat",
        "mul.scalar",
        "mul.rscalar",
        "div.scalar",
        "mul",
        "div",
        "div_",
        "div_.scalar",
        "mul_.scalar",
        "mul_",
        "neg",
        "to",
    ]
)
"""Operations that put losses together: between a loss and what is walked they change nothing of what it is."""


def iteration_in(iterations: Iterations, loop: ast.AST | None) -> int:
    """Which iteration of a loop a moment belongs to; 1 outside of it and where no loop is asked for."""
    return next((n for site, n in iterations if site is loop), 1)


def parting_loop(first: Iterations, second: Iterations) -> tuple[ast.AST, int, int] | None:
    """The outermost loop in different iterations of which two moments lie, and those iterations."""
    for (a, n), (b, k) in zip(first, second, strict=False):
        if a is not b:
            return None
        if n != k:
            return a, n, k
    return None


def common_loop(first: Iterations, second: Iterations) -> ast.AST | None:
    """The innermost loop in the same iteration of which two moments lie."""
    common = None
    for one, other in zip(first, second, strict=False):
        if one[0] is not other[0] or one[1] != other[1]:
            break
        common = one[0]
    return common


def links(chain: Chain | None) -> list[Chain]:
    """The calls of a chain that stand in a file, outermost first."""
    found: list[Chain] = []
    while chain is not None:
        if hasattr(chain.site, "unit"):
            found.append(chain)
        chain = chain.outer
    return found[::-1]


def shared_links(one: list[Chain], other: list[Chain]) -> list[Chain]:
    """The calls during which both moments lie."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a is not b:
            break
        count += 1
    return one[:count]


@dataclass(frozen=True, slots=True)
class Calls:
    """Two walks in two calls of one function, which stand to each other as the iterations of a loop do."""

    name: str
    first: Chain
    second: Chain


class Story:
    """One failing walk, with its parts named."""

    def __init__(self, event: Raise, assumptions: tuple[str, ...] = ()) -> None:
        self.event = event
        self.failure = event.failure
        self.kind = event.failure.kind
        self.node: Node = event.failure.node
        self.second: Walk = event.failure.walk
        node = event.failure.node
        walked = (node.retained, node.consumed) if self.kind == "retained" else (node.consumed, node.retained)
        self.first: Walk = walked[0] or walked[1] or event.failure.walk
        self.assumptions = (*event.assumptions, *assumptions)

    @cached_property
    def path(self) -> list[Node]:
        """From what is walked down to the node that fails."""
        return [n for n in self.failure.path if type(n) is Node]

    @cached_property
    def _border(self) -> tuple[Node | None, Node]:
        """The last fresh node on the way down, and the first stale one below it."""
        path = self.path
        if self.parting is not None:
            new = [i for i, n in enumerate(path) if self.late(n.iterations)]
            if new:
                below = new[-1] + 1
                # What the loop's iterator builds for an iteration (a batch) is as new as the iteration.
                while below < len(path) - 1 and not (self._walked(path[below]) or self.built_inside(path[below])):
                    below += 1
                return path[below - 1], path[min(below, len(path) - 1)]
        fresh: Node | None = None
        apart: Node | None = None
        for node in path:
            if self._walked(node):
                # What the same call made beside it (a module's state next to its output) is no user of it.
                same_call = fresh is not None and fresh.site is node.site and fresh.chain is node.chain
                return apart if same_call and apart is not None else fresh, node
            if fresh is not None and fresh.site is not node.site:
                apart = fresh
            fresh = node
        return fresh if fresh is not self.node else None, self.node

    def _walked(self, node: Node) -> bool:
        """Whether an earlier walk went through a node."""
        walk = node.consumed if self.kind in ("second-time", "passed") else node.retained
        return walk is not None and walk is not self.second

    @property
    def fresh(self) -> Node | None:
        """The operation of this iteration that builds on the stale graph; None if the walked root itself is stale."""
        return self._border[0]

    @property
    def stale(self) -> Node:
        """The first node on the way that is of an earlier iteration, or that an earlier walk went through."""
        return self._border[1]

    @cached_property
    def parting(self) -> tuple[ast.AST, int, int] | None:
        return parting_loop(self.first.iterations, self.second.iterations)

    @property
    def loop(self) -> ast.AST | None:
        """The loop across whose iterations the two walks lie."""
        return self.parting[0] if self.parting else None

    @cached_property
    def around(self) -> ast.AST | None:
        """The loop whose iterations the story counts: the one that parts the walks, else the innermost around both."""
        return self.loop or common_loop(self.first.iterations, self.second.iterations)

    def when(self, iterations: Iterations) -> int:
        return iteration_in(iterations, self.around)

    def late(self, iterations: Iterations) -> bool:
        """Whether a moment lies in an iteration after that of the first walk."""
        return self.parting is not None and any(s is self.parting[0] and k > self.parting[1] for s, k in iterations)

    @property
    def iteration(self) -> int:
        """The iteration in which it raises."""
        return self.when(self.second.iterations)

    @property
    def first_iteration(self) -> int:
        return self.when(self.first.iterations)

    @property
    def reads(self) -> bool:
        """Whether it is no walk that fails, but the program itself that reads a released tensor."""
        return self.first is self.second and self.kind == "second-time"

    @cached_property
    def outer_links(self) -> list[Chain]:
        """The calls during which both walks lie: they tell nothing."""
        first = self.first.chain if self.first is not self.second else self.stale.chain
        return shared_links(links(first), links(self.second.chain))

    @cached_property
    def calls(self) -> Calls | None:
        """The two calls of one function in which the walks lie, if no loop parts them."""
        if self.loop is not None or self.first is self.second:
            return None
        count = len(self.outer_links)
        one, other = links(self.first.chain)[count:], links(self.second.chain)[count:]
        if not one or not other:
            return None
        called = [
            function_of(chain[1].site if len(chain) > 1 else walk.site)
            for chain, walk in ((one, self.first), (other, self.second))
        ]
        if called[0] is None or called[0] is not called[1]:
            return None
        return Calls(called[0].name, one[0], other[0])

    @cached_property
    def scopes(self) -> set[ast.AST | None]:
        """The functions that run during both walks: their names outlive the iteration. None is the top of the file."""
        rest = links(self.second.chain)[len(self.outer_links) :]
        inner = rest[0].site if rest else self.second.site
        found: set[ast.AST | None] = {function_of(link.site) for link in self.outer_links}
        return found | {function_of(self.loop or inner), None}

    def built_inside(self, node: Node | Leaf | None = None) -> bool:
        """Whether a node (the stale one) was built inside the loop that parts the walks."""
        node = node or self.stale
        return type(node) is Node and any(site is self.loop for site, _ in node.iterations)

    def built_in_call(self) -> bool:
        """Whether the stale node was built in the first of the two calls in which the walks lie."""
        return self.calls is not None and self.calls.first in links(self.stale.chain)

    @cached_property
    def cached(self) -> bool:
        """Whether what carries the graph was bound in one iteration only: a cache, not a state that each iteration
        computes."""
        holder = self.holder
        if holder is None or holder.kind == "append" or self.carrier.cut or self.recurs:
            return False
        lasting = holder.kind != "name" or function_of(holder.site) in self.scopes
        return lasting and holder.until == 0 and holder.seq < self.first.seq

    @cached_property
    def recurs(self) -> bool:
        """Whether what builds on the carrier is put back into the same place."""
        holder = self.holder
        late = [n for n in self.path if self.late(n.iterations)]
        return holder is not None and any(h.site is holder.site for n in late for h in n.holders or ())

    @cached_property
    def carrier(self) -> Carrier:
        return carrier_of(self)

    @property
    def holder(self) -> Holder | None:
        """Where the stale tensor was kept: the name, attribute or element that carries the graph."""
        return self.carrier.holder

    @property
    def subject(self) -> str:
        """The carrier as written: `h`, `self.hidden`, `losses`."""
        return self.carrier.names[0] if self.carrier.names else ""

    @cached_property
    def named(self) -> str:
        """The carriers for a message: their names in backticks, or the expression that built the graph."""
        names = [f"`{name}`" for name in self.carrier.names]
        if len(names) > 1:
            return f"{', '.join(names[:-1])} and {names[-1]}"
        return names[0] if names else f"`{text_of(self.stale.site)}`"

    def where(self, site: ast.AST) -> str:
        """Where a place stands, as seen from the finding's own file."""
        return line_of(site, self.primary)

    def verb(self, one: str, several: str) -> str:
        """The verb's form for `named`."""
        return several if len(self.carrier.names) > 1 else one

    @cached_property
    def adds_losses(self) -> bool:
        """Whether only sums of losses lie between what is walked and the stale loss, then and now."""
        if self.fresh is None:
            return False
        for node in self.path:
            if node is self.stale:
                break
            if node.op not in ADDING:
                return False
        seen: set[int] = set()
        todo = list(self.first.roots)
        while todo:
            node_below = todo.pop()
            if node_below is self.stale:
                return True
            if type(node_below) is Node and id(node_below) not in seen and node_below.op in ADDING:
                seen.add(id(node_below))
                todo.extend(node_below.inputs)
        return False

    @property
    def weighs_stored(self) -> bool:
        """Whether what a list or cache keeps is more than losses to add up: it is weighted anew (log-probabilities)."""
        above = self.path[: self.path.index(self.stale)]
        stored = self.cached or (self.holder is not None and self.holder.kind == "append")
        return stored and any(n.op in ("mul", "mul_", "neg") for n in above)

    @cached_property
    def same_root(self) -> bool:
        """Whether the second walk starts from the very loss of the first (a scale in between does not matter)."""
        if self.fresh is None:
            return True
        roots = set(map(id, self.first.roots))
        for root in self.first.roots:
            if type(root) is Node and root.op in ("mul", "div.scalar", "div", "mul.scalar"):
                roots.update(id(n) for n in root.inputs)
        above = self.path[: self.path.index(self.stale)]
        return id(self.stale) in roots and all(
            n.op in ("mul", "div.scalar", "div", "mul.scalar", "div.rscalar") for n in above
        )

    @property
    def primary(self) -> ast.AST:
        """Where the finding stands: the expression that builds on the stale graph, else the walk that raises."""
        return self.fresh.site if self.fresh is not None else self.walked_site

    @property
    def walked_site(self) -> ast.AST:
        return self.failure.site or self.second.site

    @property
    def raises_at(self) -> RaisesAt:
        site = self.walked_site
        unit = unit_of(site)
        span = unit.span(site)
        shift = site.lineno - span.line  # type: ignore[attr-defined]
        return RaisesAt(unit.path, surface_line(site) - shift, self.iteration, span.cell)

    @property
    def loop_span(self) -> Span | None:
        """The loop's header."""
        return header_of(self.loop)

    def steps(self) -> tuple[Step, ...]:
        """The witness, in the order in which it happens."""
        from secondpass.rules.steps import steps_of

        return steps_of(self)


__all__ = ["ADDING", "Calls", "Story", "iteration_in", "links", "parting_loop", "span_of", "text_of", "unit_of"]
