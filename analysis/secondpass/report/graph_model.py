"""The graph across iterations as a picture draws it: what was built, what was consumed, what is carried and walked
again.

A small value between whoever knows the graph (the machine, a recorded run, or a finding's witness alone) and the
drawings. Nodes stand in the column of the iteration that built them; edges point the way backward walks: from a call of
backward to its root, from a result to what it was computed from.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Literal

from ..findings import Finding, Span, Step
from .lines import SourceLines

Kind = Literal["walk", "node", "leaf", "gap"]
"""`walk`: a call of backward or grad; `node`: an autograd node; `leaf`: parameters and other
leaves; `gap`: a place a drawing keeps free for an edge."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """One column. `number` is 0 for what is built before the loop; `note` says in a few words what happens there."""

    number: int
    title: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    text: str
    """The source expression, shortened by the drawing where it must be."""
    span: Span | None
    iteration: int
    kind: Kind = "node"
    consumed_by: str = ""
    """What walked and freed it, as "line 10 in iteration 1"; empty while it is alive."""
    parameters: tuple[str, ...] = ()
    """Names of the parameters this node reads."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a node to one it was computed from; `carried` when the way crosses iterations, `walked` on the raising
    walk."""

    source: str
    target: str
    carried: bool = False
    walked: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class GraphPicture:
    title: str
    iterations: tuple[Iteration, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    verdict: str = ""
    """One sentence: what raises, where, in which iteration; empty when nothing does."""
    advice: str = ""


def place(span: Span) -> str:
    """`line 10`, or `cell 2, line 10` with cells counted from 1."""
    return f"line {span.line}" if span.cell is None else f"cell {span.cell + 1}, line {span.line}"


class Expressions:
    """Gives the source text of a span as one line."""

    def __init__(self, lines: SourceLines) -> None:
        self._lines = lines

    def __call__(self, span: Span) -> str:
        rows = [self._lines(span.path, number, span.cell) or "" for number in range(span.line, span.end_line + 1)]
        rows[-1] = rows[-1][: span.end_column - 1]
        rows[0] = rows[0][span.column - 1 :]
        return " ".join(" ".join(rows).split()) or place(span)


def picture_of(finding: Finding, lines: SourceLines) -> GraphPicture:
    """The picture a finding's witness alone tells: each step is a node, walks point at what they walked.

    A place that is walked is drawn once an iteration; without an iteration of its own (a straight line) everything is
    iteration 1.
    """
    return _Drawn(finding, Expressions(lines)).picture()


class _Drawn:
    def __init__(self, finding: Finding, expressions: Expressions) -> None:
        self.finding = finding
        self.expressions = expressions
        self.nodes: dict[tuple[Span, int], Node] = {}
        self.edges: list[Edge] = []
        self.ids = (f"n{number}" for number in count(1))

    def picture(self) -> GraphPicture:
        steps = self.finding.witness
        built = [self._node(step, "node") for step in steps if step.role == "built"]
        entered = [self._node(step, "node") for step in steps if step.role == "entered"]
        first = [self._node(step, "walk") for step in steps if step.role in ("consumed", "retained")]
        again = [self._node(step, "walk") for step in steps if step.role == "walked-again"]
        consumers = [step for step in steps if step.role == "consumed"]
        if consumers:
            by = f"{place(consumers[0].span)} in iteration {consumers[0].iteration}"
            built = [self._consumed(node, by) for node in built]
        for walk in first:
            self._join(walk, built)
        if entered:
            for walk in again:
                self._join(walk, entered, walked=True)
            for node in entered:
                self._join(node, built, walked=True, label=self.finding.subject)
        else:
            for walk in again:
                self._join(walk, built, walked=True, label=self.finding.subject)
        iterations = sorted({node.iteration for node in self.nodes.values()})
        return GraphPicture(
            title=f"{self.finding.rule} {self.finding.name}: {self.finding.message}",
            iterations=tuple(
                Iteration(
                    iteration, f"iteration {iteration}" if iteration else "before the loop", self._note(iteration)
                )
                for iteration in iterations
            ),
            nodes=tuple(self.nodes.values()),
            edges=tuple(self.edges),
            verdict=self._verdict(),
            advice=self.finding.help,
        )

    def _node(self, step: Step, kind: Kind) -> Node:
        key = (step.span, step.iteration)
        if key not in self.nodes:
            self.nodes[key] = Node(next(self.ids), self.expressions(step.span), step.span, step.iteration, kind)
        return self.nodes[key]

    def _consumed(self, node: Node, by: str) -> Node:
        assert node.span is not None
        marked = Node(node.id, node.text, node.span, node.iteration, node.kind, by, node.parameters)
        self.nodes[(node.span, node.iteration)] = marked
        return marked

    def _join(self, source: Node, targets: list[Node], *, walked: bool = False, label: str = "") -> None:
        for target in targets:
            if source.id != target.id:
                carried = source.iteration != target.iteration
                self.edges.append(Edge(source.id, target.id, carried, walked, label if carried else ""))

    def _note(self, iteration: int) -> str:
        roles = {step.role for step in self.finding.witness if step.iteration == iteration}
        if "walked-again" in roles and "consumed" in roles:
            return "walked, then walked again"
        if "walked-again" in roles:
            return "backward walks until it meets a consumed node"
        return "backward walked and consumed this graph" if "consumed" in roles else ""

    def _verdict(self) -> str:
        at = self.finding.raises_at
        if at is None:
            return ""
        where = f"line {at.line}" if at.cell is None else f"cell {at.cell + 1}, line {at.line}"
        return f"raises on {where} in iteration {at.iteration}: {self.finding.message}"
