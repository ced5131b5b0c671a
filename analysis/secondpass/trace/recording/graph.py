"""Autograd graphs as they are: what a call executes and in which order, and what a node has lost.

Nothing here runs while a call succeeds, except to hold its roots.
"""

from __future__ import annotations

import collections
import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .markers import SEQ_MASK

LEAF_SEQ = 1 << 62
"""AccumulateGrad nodes carry the largest number there is: they are nobody's statement."""
WALK_LIMIT = 200_000
"""Nodes visited in one walk of a graph."""


def next_nodes(node: Any) -> list[Any]:
    return [child for child, _ in node.next_functions if child is not None]


def sequence(node: Any) -> int:
    """The number of a node; leaves (and nodes made in Python without one) are `LEAF_SEQ`."""
    number = getattr(node, "_sequence_nr", None)
    value = number() if callable(number) else LEAF_SEQ
    return value if 0 <= value < SEQ_MASK else LEAF_SEQ


def is_leaf(node: Any) -> bool:
    return type(node).__name__ == "AccumulateGrad"


def reachable(roots: Iterable[Any], limit: int = WALK_LIMIT) -> dict[Any, Any]:
    """Every node behind the roots, each with the node it was first reached from."""
    parents: dict[Any, Any] = {}
    queue = collections.deque((root, None) for root in roots)
    while queue and len(parents) < limit:
        node, parent = queue.popleft()
        if node in parents:
            continue
        parents[node] = parent
        queue.extend((child, node) for child in next_nodes(node) if child not in parents)
    return parents


def leading_to(nodes: dict[Any, Any], targets: set[Any]) -> set[Any]:
    """The nodes from which one of the targets can be reached, the targets included."""
    users: dict[Any, list[Any]] = {}
    for node in nodes:
        for child in next_nodes(node):
            users.setdefault(child, []).append(node)
    found = {target for target in targets if target in nodes}
    todo = list(found)
    while todo:
        for user in users.get(todo.pop(), ()):
            if user not in found:
                found.add(user)
                todo.append(user)
    return found


_SAVED: dict[str, list[str]] = {}


def saved_state(node: Any) -> str:
    """`released` or `modified` if reading what the node saved raises so, else `kept` (or it saved nothing)."""
    names = _SAVED.get(node.name())
    if names is None:
        names = [n for n in dir(node) if n.startswith("_saved_")] + ["saved_tensors"]
        _SAVED[node.name()] = names
    for name in names:
        try:
            getattr(node, name, None)
        except RuntimeError as error:
            kind = kind_of(error)
            if kind == "second-time":
                return "released"
            if kind == "inplace-version":
                return "modified"
        except Exception:  # an unpack hook of the program may raise anything
            continue
    return "kept"


def kind_of(error: BaseException) -> str | None:
    text = str(error)
    if "backward through the graph a second time" in text:
        return "second-time"
    if "modified by an inplace operation" in text:
        return "inplace-version"
    return None


class Call:
    """One backward or grad call. Roots are held while it runs, and afterwards for the last few that freed."""

    # defaults of the class: a call sets only what it has, for this runs in the program's time
    n = 0
    function = "backward"
    site: tuple[str, int, str] | None = None
    """The user's line that made the call: path, line, function."""
    retain = create = limited = nested = compiling = False
    accumulate = True
    roots: Sequence[Any] = ()
    targets: Sequence[Any] = ()
    position = seq = thread = 0
    walked: int | None = None
    frame: Any = None

    def executed(self) -> dict[Any, Any]:
        """The nodes the call runs: all behind its roots, or those on the way to `inputs`."""
        nodes = reachable(self.roots)
        if not self.limited:
            return nodes
        on_the_way = leading_to(nodes, set(self.targets))
        if not self.accumulate:  # grad() stops above the node that made the input
            on_the_way -= set(self.targets)
        return {node: parent for node, parent in nodes.items() if node in on_the_way}


def engine_order(call: Call, nodes: dict[Any, Any]) -> Iterator[Any]:
    """The nodes in the order the engine runs them: of those ready, leaves first, then the newest."""
    waiting: dict[Any, int] = collections.Counter()
    for node in nodes:
        for child in next_nodes(node):
            waiting[child] += 1
    ready: list[tuple[int, int, Any]] = []
    tie = 0

    def push(node: Any) -> None:
        nonlocal tie
        tie += 1
        heapq.heappush(ready, (-sequence(node), tie, node))

    for root in dict.fromkeys(call.roots):
        if root in nodes and not waiting[root]:
            push(root)
    while ready:
        node = heapq.heappop(ready)[2]
        yield node
        for child in next_nodes(node):
            waiting[child] -= 1
            if not waiting[child] and child in nodes:
                push(child)
