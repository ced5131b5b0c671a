"""How far a file was followed: which of its backward calls a run came to with a graph in hand, and why not the others.

"Nothing found" means little where nothing was followed, so a check says how much it was.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.findings import Backward
from secondpass.source.backwards import BackwardCall, backward_calls

if TYPE_CHECKING:
    from secondpass.machine.record import Cut, Record
    from secondpass.machine.run import Outcome
    from secondpass.source.source import Source

FOLLOWED = ""


def backwards_of(source: Source, outcome: Outcome | None) -> dict[Backward, str]:
    """Each backward call of a file, with why it was not followed; "" if it was."""
    calls = backward_calls(source)
    if not calls:
        return {}
    records = _records(outcome) if outcome is not None else []
    followed = {_at(walk.site) for record in records for walk in record.walks if _path(walk.site) == source.path}
    lost = {_at(site): why for record in records for site, why in record.lost if _path(site) == source.path}
    cuts = [cut for record in records for cut in record.cuts]
    found: dict[Backward, str] = {}
    for one in calls:
        span = source.span(one.call)
        at = Backward(span.path, span.line, span.cell)
        why = FOLLOWED if _at(one.call) in followed else lost.get(_at(one.call)) or _not_reached(one, cuts)
        found[at] = better(found.get(at), why)
    return found


def followed_elsewhere(source: Source, outcome: Outcome) -> dict[Backward, str]:
    """The backward calls in other files that the runs of this one came to."""
    found: dict[Backward, str] = {}
    for record in _records(outcome):
        for walk in record.walks:
            unit = getattr(walk.site, "unit", source)
            if unit is not source and hasattr(walk.site, "lineno"):
                span = unit.span(walk.site)
                found[Backward(span.path, span.line, span.cell)] = FOLLOWED
    return found


def better(one: str | None, other: str) -> str:
    """What is said of a call that several runs know of: that it was followed, else why it was lost."""
    if one is None or other == FOLLOWED:
        return other
    return one


def _records(outcome: Outcome) -> list[Record]:
    return [*(path.record for path in outcome.paths), *outcome.entries]


def _path(site: ast.AST) -> str:
    return str(getattr(getattr(site, "unit", None), "path", ""))


def _at(site: ast.AST) -> tuple[int, int]:
    return getattr(site, "lineno", 0), getattr(site, "col_offset", 0)


def _not_reached(one: BackwardCall, cuts: list[Cut]) -> str:
    if cuts:
        return f"not reached: {cuts[0].what}"
    if one.function:
        return f"no run came to it; who calls `{one.function}`, and with what, is not in sight"
    return "no run came to it"
