"""Where the nodes of a graph picture stand: a column a turn, a rank a step of backward's way down from the walk.

Ranks are the same rows in every turn, so what a turn builds again stands beside what the turn before built, and a
carrying edge runs straight across the border. Drawings (text, svg) turn columns and ranks into their own units.
"""

from __future__ import annotations

from dataclasses import dataclass

from .graph_model import Edge, GraphPicture, Node, Turn

_NAMED = 2
"""A leaf of parameters names this many and counts the rest."""


@dataclass(frozen=True, slots=True)
class Column:
    turn: Turn
    ranks: tuple[tuple[Node, ...], ...]
    """Nodes by rank, left to right; a rank may be empty."""


@dataclass(frozen=True, slots=True)
class Layout:
    columns: tuple[Column, ...]
    edges: tuple[Edge, ...]
    ranks: int


def layout(picture: GraphPicture) -> Layout:
    nodes, edges = _with_parameters(picture)
    rank = _ranks(nodes, edges)
    leaving = {edge.source for edge in edges if edge.carried}
    reached = {edge.target for edge in edges if edge.carried}
    ranks = max(rank.values(), default=-1) + 1
    columns = []
    for turn in sorted(picture.turns, key=lambda turn: turn.number):
        rows: list[list[Node]] = [[] for _ in range(ranks)]
        for node in nodes:
            if node.turn == turn.number:
                rows[rank[node.id]].append(node)
        for row in rows:
            row.sort(key=lambda node: (node.id in reached) - (node.id in leaving))
        columns.append(Column(turn, tuple(map(tuple, rows))))
    return Layout(tuple(columns), tuple(edges), ranks)


def _with_parameters(picture: GraphPicture) -> tuple[list[Node], list[Edge]]:
    """The parameters a node reads become a leaf of its own below it."""
    nodes, edges = list(picture.nodes), list(picture.edges)
    for node in picture.nodes:
        if node.parameters:
            more = len(node.parameters) - _NAMED
            text = ", ".join(node.parameters[:_NAMED]) + (f" and {more} more" if more > 0 else "")
            nodes.append(Node(f"{node.id}-parameters", text, None, node.turn, "leaf"))
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
