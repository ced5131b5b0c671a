"""Growth without an error: how many nodes each of the user's variables keeps alive, counted as backward calls begin.

Counted at the first calls of a line and then ever more rarely, so that a long run does not pay for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .frames import held_by_frames
from .graph import Call, is_leaf, reachable, sequence
from .places import Places
from .threads import Threads

HELD_LIMIT = 20_000
"""Nodes visited to count what one name keeps alive."""


def taken(call: int) -> bool:
    """Whether the call of this ordinal is counted: 1 to 8, then 12, 16, 24, 32, 48 and so on."""
    return call <= 8 or _power_of_two(call) or (call % 3 == 0 and _power_of_two(call // 3))


def _power_of_two(number: int) -> bool:
    return number & (number - 1) == 0


@dataclass
class Row:
    """The counts of one name, or of what one line walks; `holder` is the path, line and function of its frame."""

    kind: str
    name: str
    holder: tuple[str, int, str]
    calls: list[int] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    newest: tuple[int, int] | None = None
    """The number and thread of the newest node."""

    def add(self, call: int, count: int) -> None:
        self.calls.append(call)
        self.nodes.append(count)

    def grew(self) -> bool:
        """Whether the count rose twice in a row, level by level: a reader may ask for more."""
        levels = [count for count, before in zip(self.nodes, [-1, *self.nodes]) if count != before]
        return longest_rise(levels) >= 3

    def let_go(self) -> bool:
        """Whether it fell again, or stopped rising half-way."""
        fell = any(after < before for before, after in zip(self.nodes, self.nodes[1:]))
        return fell or self.nodes[-1] == self.nodes[len(self.nodes) // 2]


class Growth:
    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.rows: dict[tuple[Any, ...], Row] = {}

    def sample(self, call: Call, site: tuple[str, int, str], frames: list[Any], ordinal: int) -> None:
        """Counts what the call will walk and what the variables of these frames hold."""
        walked = self.rows.setdefault(("walked", site[:2]), Row("walked", "", site))
        walked.add(ordinal, call.walked or 0)
        for name, holder, tensors in held_by_frames(frames):
            nodes = reachable([tensor.grad_fn for tensor in tensors], HELD_LIMIT)
            newest = max(nodes, key=lambda node: -1 if is_leaf(node) else sequence(node))
            row = self.rows.setdefault(("held", site[:2], holder[0], holder[2], name), Row("held", name, holder))
            row.add(ordinal, len(nodes))
            row.newest = (sequence(newest), self.threads.of(nodes, call.thread)[newest])

    def report(self, places: Places) -> list[dict[str, Any]]:
        """What grew; `dropped` tells whether it was let go, or stopped."""
        grown = {key: row for key, row in self.rows.items() if row.grew()}
        located = places.locate({key: row.newest for key, row in grown.items() if row.newest})
        out = []
        for key, row in grown.items():
            path, line, function = row.holder
            told: dict[str, Any] = {"kind": row.kind, "name": row.name, **places.file(path), "line": line}
            told.update(function=function, calls=row.calls[:24], nodes=row.nodes[:24])
            told["dropped"] = row.let_go()
            told["built"] = places.stack(located[key])[:6] if key in located else []
            out.append(told)
        return out


def longest_rise(counts: list[int]) -> int:
    """The length of the longest rising run."""
    best = run = 0
    last = -1
    for count in counts:
        run = run + 1 if count > last else 1
        best, last = max(best, run), count
    return best
