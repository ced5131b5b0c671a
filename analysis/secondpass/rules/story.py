"""The story of one failing walk: what was built where, consumed by whom, carried how, entered and walked again.

A `Failure` is raw: a node, the walk that met it, the path between. A `Story` names the parts that every rule speaks
of, so that a rule is a condition and a sentence.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from secondpass.findings import RaisesAt, Role, Span, Step
from secondpass.machine.graph import Holder, Leaf, Node, Turns, Walk
from secondpass.machine.record import Raise

if TYPE_CHECKING:
    from secondpass.source.source import Source

ADDING = frozenset(
    (
        "add add.scalar add.rscalar add_ add_.scalar sub sub.scalar sub_ sum sum.dim mean mean.dim stack cat "
        "mul.scalar mul.rscalar div.scalar mul div div_ div_.scalar mul_.scalar mul_ neg to"
    ).split()
)
"""Operations that put losses together: between a loss and what is walked they change nothing of what it is."""


def unit_of(site: ast.AST) -> Source:
    """The file a piece of syntax stands in."""
    return site.unit  # type: ignore[attr-defined,no-any-return]


def span_of(site: ast.AST) -> Span:
    return unit_of(site).span(site)


def text_of(site: ast.AST, most: int = 60) -> str:
    """A piece of code as written, on one line and not too long."""
    text = " ".join(unit_of(site).segment(site).split())
    return text if len(text) <= most else text[: most - 3] + "..."


def surface_line(site: ast.AST) -> int:
    """The line PyTorch's traceback shows for a call: that of `.backward(` in a chain over several lines."""
    if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute):
        return site.func.end_lineno or site.lineno
    return site.lineno  # type: ignore[attr-defined,no-any-return]


def turn_in(turns: Turns, loop: ast.AST | None) -> int:
    """Which turn of a loop a moment belongs to; of its innermost loop where none is asked for; 1 outside."""
    if loop is None:
        return turns[-1][1] if turns else 1
    return next((n for site, n in turns if site is loop), 1)


def parting_loop(first: Turns, second: Turns) -> tuple[ast.AST, int, int] | None:
    """The outermost loop in different turns of which two moments lie, and those turns."""
    for (a, n), (b, k) in zip(first, second, strict=False):
        if a is not b:
            return None
        if n != k:
            return a, n, k
    return None


class Story:
    """One failing walk, with its parts named."""

    def __init__(self, event: Raise, assumptions: tuple[str, ...] = ()) -> None:
        self.event = event
        self.failure = event.failure
        self.kind = event.failure.kind
        self.node: Node = event.failure.node
        self.second: Walk = event.failure.walk
        self.first: Walk = event.failure.node.consumed or event.failure.node.retained or event.failure.walk
        self.assumptions = (*event.assumptions, *assumptions)

    @cached_property
    def _border(self) -> tuple[Node | None, Node]:
        """The last fresh node on the way down, and the first stale one below it."""
        fresh: Node | None = None
        for node in self.failure.path:
            if type(node) is Node:
                stale = node.retained if self.kind != "second-time" else node.consumed
                if stale is not None and stale is not self.second:
                    return fresh, node
                fresh = node
        return fresh if fresh is not self.node else None, self.node

    @property
    def fresh(self) -> Node | None:
        """The operation of this turn that builds on the stale graph; None if the walked root itself is stale."""
        return self._border[0]

    @property
    def stale(self) -> Node:
        """The first node on the way that an earlier walk went through."""
        return self._border[1]

    @cached_property
    def parting(self) -> tuple[ast.AST, int, int] | None:
        return parting_loop(self.first.turns, self.second.turns)

    @property
    def loop(self) -> ast.AST | None:
        """The loop across whose turns the two walks lie."""
        return self.parting[0] if self.parting else None

    @property
    def turn(self) -> int:
        """The turn in which it raises."""
        return self.parting[2] if self.parting else turn_in(self.second.turns, None)

    @property
    def first_turn(self) -> int:
        return self.parting[1] if self.parting else turn_in(self.first.turns, None)

    def built_inside(self, node: Node | Leaf | None = None) -> bool:
        """Whether a node (the stale one) was built inside the loop that parts the walks."""
        node = node or self.stale
        return type(node) is Node and any(site is self.loop for site, _ in node.turns)

    @cached_property
    def holder(self) -> Holder | None:
        """Where the stale tensor was kept: the name, attribute or element that carries the graph."""
        return self.stale.holder or self.node.holder

    @cached_property
    def subject(self) -> str:
        """The carrier as written: `h`, `self.hidden`, `losses`."""
        holder = self.holder
        if holder is None:
            return ""
        site = holder.site
        if holder.kind == "append" and isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute):
            return text_of(site.func.value)
        return text_of(site)

    @property
    def named(self) -> str:
        """The carrier for a message: its name in backticks, or the expression that built it."""
        return f"`{self.subject}`" if self.subject else f"`{text_of(self.stale.site)}`"

    @cached_property
    def adds_losses(self) -> bool:
        """Whether only sums of losses lie between what is walked and the stale loss, then and now."""
        if self.fresh is None:
            return False
        for node in self.failure.path:
            if node is self.stale:
                break
            if type(node) is Node and node.op not in ADDING:
                return False
        seen: set[int] = set()
        todo = list(self.first.roots)
        while todo:
            node = todo.pop()
            if node is self.stale:
                return True
            if type(node) is Node and id(node) not in seen and node.op in ADDING:
                seen.add(id(node))
                todo.extend(node.inputs)
        return False

    @cached_property
    def same_root(self) -> bool:
        """Whether the second walk starts from the very loss of the first (a scale in between does not matter)."""
        if self.fresh is None:
            return True
        roots = set(map(id, self.first.roots))
        for root in self.first.roots:
            if type(root) is Node and root.op in ("mul", "div.scalar", "div", "mul.scalar"):
                roots.update(id(n) for n in root.inputs)
        path = [n for n in self.failure.path if type(n) is Node]
        above = path[: path.index(self.stale)]
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
        return RaisesAt(unit.path, surface_line(site) - shift, self.turn, span.cell)

    @property
    def loop_span(self) -> Span | None:
        """The loop's header."""
        if self.loop is None or not isinstance(self.loop, (ast.For, ast.While, ast.AsyncFor)):
            return None
        end = self.loop.iter if not isinstance(self.loop, ast.While) else self.loop.test
        head, tail = span_of(self.loop), unit_of(self.loop).span(end)
        return Span(head.path, head.line, head.column, tail.end_line, tail.end_column + 1, head.cell)

    def steps(self) -> tuple[Step, ...]:
        """The witness, in the order in which it happens."""
        told: list[Step] = []

        def add(role: Role, site: ast.AST, turn: int, text: str) -> None:
            step = Step(role, span_of(site), turn, text)
            if not any(s.role == role and s.span == step.span for s in told):
                told.append(step)

        loop, node, stale = self.loop, self.node, self.stale
        built_turn = turn_in(node.turns, loop)
        when = f"turn {built_turn} builds" if self.built_inside(node) else "this builds"
        name = f" {self.named}" if self.subject else " a graph"
        if stale is not node:
            add("built", node.site, built_turn, f"{when} part of the graph behind {self.named} here")
            add("built", stale.site, turn_in(stale.turns, loop), f"{when}{name} on it here")
        else:
            add("built", node.site, built_turn, f"{when}{name} here, and it keeps its graph")
        for link in node.chain.sites() if node.chain is not None else ():
            add("built", link, built_turn, "called from here")
        holder = self.holder
        if holder is not None and holder.kind != "name":
            add("carried", holder.site, turn_in(holder.turns, loop), f"{self.named} keeps it from here on")
        elif holder is not None and self.loop is not None:
            add("carried", holder.site, turn_in(holder.turns, loop), f"{self.named} carries it into the next turn")
        self._walks(add)
        return tuple(told)

    def _walks(self, add: object) -> None:
        put = add
        assert callable(put)
        first_turn, turn = self.first_turn, self.turn
        where = f"turn {first_turn} " if self.parting else ""
        verb = "consumes" if self.kind == "second-time" else "walks and keeps"
        role = "consumed" if self.kind == "second-time" else "retained"
        if self.first is not self.second:
            put(role, self.first.site, first_turn, f"{where}{verb} that graph here".strip())
            for link in self.first.chain.sites() if self.first.chain is not None else ():
                put(role, link, first_turn, "called from here")
        if self.failure.storage is not None:
            writer = (
                self.failure.storage.writer if self.kind == "inplace-version" else self.failure.storage.silent_writer
            )
            if writer is not None:
                put(
                    "stepped",
                    writer,
                    turn_in(self.failure.storage.writer_turns, self.loop),
                    "this changes a tensor that the graph saved",
                )
        if self.fresh is not None:
            put(
                "entered",
                self.fresh.site,
                turn,
                f"turn {turn} builds on it here" if self.parting else "this builds on it",
            )
        ending = "walks into it and raises" if self.kind != "silent" else "walks it with changed values"
        put("walked-again", self.walked_site, turn, f"turn {turn} {ending}" if self.parting else f"this {ending}")
