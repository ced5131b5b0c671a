"""Where the nodes of a graph picture stand: a column an iteration, a rank a step of backward's way down from the walk.

Ranks are the same rows in every iteration, so what an iteration builds again stands beside what the iteration before
built, and a carrying edge runs straight across the border. Drawings (text, svg) iteration columns and ranks into their
own units.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from .graph_model import Edge, GraphPicture, Iteration, Node

_NAMED = 2
"""A leaf of parameters names this many and counts the rest."""


@dataclass(frozen=True, slots=True)
class Column:
    iteration: Iteration
    ranks: tuple[tuple[Node, ...], ...]
    """Nodes by rank, left to right; a rank may be empty."""


@dataclass(frozen=True, slots=True)
class Layout:
    columns: tuple[Column, ...]
    edges: tuple[Edge, ...]
    ranks: int
    gaps: dict[tuple[str, str], tuple[str, ...]]
    """For an edge (source, target) that skips ranks: the gaps, in `columns` as nodes of no text, it passes through."""


def layout(picture: GraphPicture) -> Layout:
    nodes, edges = _with_parameters(picture)
    rank = _ranks(nodes, edges)
    gaps = _gaps(nodes, edges, rank)
    leaving = {edge.source for edge in edges if edge.carried}
    reached = {edge.target for edge in edges if edge.carried}
    ranks = max(rank.values(), default=-1) + 1
    columns = []
    for iteration in sorted(picture.iterations, key=lambda iteration: iteration.number):
        rows: list[list[Node]] = [[] for _ in range(ranks)]
        for node in nodes:
            if node.iteration == iteration.number:
                rows[rank[node.id]].append(node)
        for above, row in pairwise([[], *rows]):
            middle = _middles(above, edges, gaps)
            ends = {node.id: (node.id in reached) - (node.id in leaving) for node in row}
            places = sorted((ends[node.id], middle.get(node.id, 0.0), index) for index, node in enumerate(row))
            row[:] = [row[index] for _, _, index in places]
        columns.append(Column(iteration, tuple(map(tuple, rows))))
    return Layout(tuple(columns), tuple(edges), ranks, gaps)


def _gaps(nodes: list[Node], edges: list[Edge], rank: dict[str, int]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Keep a place free in every rank an edge skips, so that it runs beside the nodes there; adds to nodes and rank."""
    iteration = {node.id: node.iteration for node in nodes}
    gaps: dict[tuple[str, str], tuple[str, ...]] = {}
    for edge in edges:
        passed = range(rank[edge.source] + 1, rank[edge.target])
        if passed and not edge.carried:
            gaps[edge.source, edge.target] = tuple(f"{edge.source}-{edge.target}-{number}" for number in passed)
            for number, place in zip(passed, gaps[edge.source, edge.target], strict=True):
                nodes.append(Node(place, "", None, iteration[edge.source], "gap"))
                rank[place] = number
    return gaps


def _middles(above: list[Node], edges: list[Edge], gaps: dict[tuple[str, str], tuple[str, ...]]) -> dict[str, float]:
    """For each node below a rank, the middle of those in it that point there: in this order few edges cross."""
    position = {node.id: index for index, node in enumerate(above)}
    parents: dict[str, list[int]] = {}
    for edge in edges:
        if not edge.carried:
            for source, target in pairwise((edge.source, *gaps.get((edge.source, edge.target), ()), edge.target)):
                if source in position:
                    parents.setdefault(target, []).append(position[source])
    return {node: sum(places) / len(places) for node, places in parents.items()}


def _with_parameters(picture: GraphPicture) -> tuple[list[Node], list[Edge]]:
    """The parameters a node reads become a leaf of its own below it."""
    nodes, edges = list(picture.nodes), list(picture.edges)
    for node in picture.nodes:
        if node.parameters:
            more = len(node.parameters) - _NAMED
            text = ", ".join(node.parameters[:_NAMED]) + (f" and {more} more" if more > 0 else "")
            nodes.append(Node(f"{node.id}-parameters", text, None, node.iteration, "leaf"))
            edges.append(Edge(node.id, f"{node.id}-parameters"))
    return nodes, edges


def _ranks(nodes: list[Node], edges: list[Edge]) -> dict[str, int]:
    """The longest way down to each node: one rank an edge, none for a carrying edge, which runs straight across.

    As many rounds as there are nodes settle every graph without a cycle, and end for one that has one.
    """
    rank = dict.fromkeys((node.id for node in nodes), 0)
    for _ in nodes:
        changed = False
        for edge in edges:
            least = rank[edge.source] + (not edge.carried)
            if rank[edge.target] < least:
                rank[edge.target] = least
                changed = True
        if not changed:
            break
    return rank


def shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
