"""SP301 growing-history: an accumulator for reporting keeps every turn's graph alive."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.growth import growth_finding
from secondpass.rules.history import History
from secondpass.rules.rule import Rule


def tell(history: History) -> list[Finding]:
    return [
        growth_finding(
            growth,
            "SP301",
            "growing-history",
            "keeps the graph of every turn alive, though nothing walks it again: memory grows",
        )
        for growth in history.grown(("name", "attribute", "in-place"))
    ]


RULE = Rule(
    code="SP301",
    name="growing-history",
    severity=Severity.WARNING,
    summary="an accumulator for reporting keeps every turn's graph alive",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    history=tell,
)
