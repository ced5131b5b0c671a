"""The recorded graph as a picture: one node a statement and iteration, drawn as `secondpass graph` draws a finding.

The recorder keeps the part of the graph around the node that raised; autograd nodes that one statement made in one
iteration stand together.
"""

from __future__ import annotations

from ..findings import Span
from ..report.graph_model import Edge, GraphPicture, Iteration, Node, place
from .reconcile import findings_of
from .record import GraphNode, Place, Raised, Trace, TraceError

Key = tuple[str, int | None, int, int]
"""Path, cell, line, iteration."""


def picture_of_trace(trace: Trace) -> GraphPicture:
    """The graph in which the run raised. Raises TraceError if it did not raise."""
    if trace.raised is None:
        raise TraceError("the recorded run did not raise, there is no graph to draw")
    return _Drawn(trace, trace.raised).picture()


class _Drawn:
    def __init__(self, trace: Trace, raised: Raised) -> None:
        self.raised = raised
        self.finding = next(f for f in findings_of(trace) if f.rule == "SP401")
        self.rows = {row.id: row for row in raised.graph.nodes if row.line}
        self.ids: dict[Key, str] = {}
        for row in self.rows.values():
            self.ids.setdefault(_key(row), f"n{len(self.ids) + 1}")

    def picture(self) -> GraphPicture:
        raised = self.raised
        nodes = [self._node(key) for key in self.ids]
        again = Node("again", raised.text, _span(raised), raised.iteration, "walk")
        nodes.append(again)
        edges = self._edges()
        root = next((key for row, key in self._keyed() if row.id not in self._inner()), None)
        if root is not None:
            edges.append(Edge("again", self.ids[root], walked=True))
        if raised.consumed and raised.kind == "second-time":
            first = raised.consumed[0]
            nodes.append(Node("first", first.text, _span(first), first.iteration, "walk"))
            targets = {_key(row) for row in self.rows.values() if row.consumed}
            newest = max(targets, key=lambda key: key[2], default=None)
            if newest is not None:
                edges.append(Edge("first", self.ids[newest]))
        iterations = sorted({node.iteration for node in nodes})
        return GraphPicture(
            title=f"{self.finding.rule} {self.finding.name}: {self.finding.message}",
            iterations=tuple(Iteration(iteration, f"iteration {iteration}") for iteration in iterations),
            nodes=tuple(nodes),
            edges=tuple(dict.fromkeys(edges)),
            verdict=f"raised on {place(_span(raised))} in iteration {raised.iteration}",
        )

    def _keyed(self) -> list[tuple[GraphNode, Key]]:
        return [(row, _key(row)) for row in self.rows.values()]

    def _inner(self) -> set[int]:
        return {child for row in self.rows.values() for child in row.next}

    def _node(self, key: Key) -> Node:
        rows = [row for row, own in self._keyed() if own == key]
        by = ""
        if any(row.consumed for row in rows) and self.raised.consumed:
            first = self.raised.consumed[0]
            by = f"{place(_span(first))} in iteration {first.iteration}"
        path, cell, line, iteration = key
        return Node(self.ids[key], rows[0].text, Span(path, line, 1, line, 2, cell), iteration, "node", by)

    def _edges(self) -> list[Edge]:
        way = self._way()
        edges = []
        for row, key in self._keyed():
            for child in row.next:
                target = self.rows.get(child)
                if target is None or _key(target) == key:
                    continue
                carried = target.iteration != row.iteration
                label = self.finding.subject if carried else ""
                walked = row.id in way and child in way
                edges.append(Edge(self.ids[key], self.ids[_key(target)], carried, walked, label))
        return edges

    def _way(self) -> set[int]:
        """The ids on the way to the node that raised: the recorder lists them first, from it to the root."""
        way: set[int] = set()
        last: GraphNode | None = None
        for row in self.raised.graph.nodes:
            if last is not None and last.id not in row.next:
                break
            way.add(row.id)
            last = row
        return way


def _key(row: GraphNode) -> Key:
    return (row.path, row.cell, row.line, row.iteration)


def _span(at: Place) -> Span:
    return Span(at.path, at.line, 1, at.line, 2, at.cell)
