"""SP202 needless-retain: `retain_graph=True` where nothing walks that graph again."""

from __future__ import annotations

from secondpass.findings import Finding, Severity, Step
from secondpass.rules.history import History
from secondpass.rules.rule import Rule
from secondpass.rules.story import span_of, text_of, turn_in


def tell(history: History) -> list[Finding]:
    found = []
    for walk in history.needless_retains():
        site = walk.retain_site
        if site is None or not history.record.finished:
            continue
        found.append(
            Finding(
                rule="SP202",
                name="needless-retain",
                severity=Severity.INFORMATION,
                span=span_of(site),
                message=f"nothing walks this graph again after `{text_of(walk.site)}`: `retain_graph=True` only keeps its memory",
                help="remove `retain_graph=True`",
                witness=(
                    Step(
                        "retained",
                        span_of(walk.site),
                        turn_in(walk.turns, None),
                        "this walk keeps the graph, and nothing needs it",
                    ),
                ),
            )
        )
    return found


RULE = Rule(
    code="SP202",
    name="needless-retain",
    severity=Severity.INFORMATION,
    summary="`retain_graph=True` where nothing walks that graph again",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    history=tell,
)
