"""SP302 kept-history: a list or dict keeps a tensor with history of every turn."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.growth import growth_finding
from secondpass.rules.history import History
from secondpass.rules.rule import Rule


def tell(history: History) -> list[Finding]:
    return [
        growth_finding(
            growth, "SP302", "kept-history", "keeps a tensor with its whole graph from every turn: memory grows"
        )
        for growth in history.grown(("append", "element"))
    ]


RULE = Rule(
    code="SP302",
    name="kept-history",
    severity=Severity.WARNING,
    summary="a list or dict keeps a tensor with history of every turn",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    history=tell,
)
