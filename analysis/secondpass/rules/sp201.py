"""SP201 retained-carry: `retain_graph=True` hides a carry; each turn walks all earlier turns."""

from __future__ import annotations

from secondpass.findings import Finding, Severity, Step
from secondpass.rules.history import History
from secondpass.rules.rule import Rule
from secondpass.rules.story import span_of, text_of, turn_in


def tell(history: History) -> list[Finding]:
    found = []
    for kept, loop in history.carried_by_retain():
        site = kept.later.retain_site or kept.earlier.retain_site or kept.later.site
        node = kept.node
        subject = text_of(node.holder.site) if node.holder is not None and node.holder.kind != "append" else ""
        carrier = f"`{subject}`" if subject else f"`{text_of(node.site)}`"
        steps = [
            Step("built", span_of(node.site), turn_in(node.turns, loop), f"{carrier} is built here and carried on")
        ]
        if node.holder is not None:
            steps.append(
                Step(
                    "carried", span_of(node.holder.site), turn_in(node.holder.turns, loop), "and kept for the next turn"
                )
            )
        steps.append(
            Step("retained", span_of(kept.earlier.site), turn_in(kept.earlier.turns, loop), "this turn's walk keeps it")
        )
        steps.append(
            Step(
                "walked-again",
                span_of(kept.later.site),
                turn_in(kept.later.turns, loop),
                "the next turn's walk goes through it again",
            )
        )
        found.append(
            Finding(
                rule="SP201",
                name="retained-carry",
                severity=Severity.WARNING,
                span=span_of(site),
                message=f"`{text_of(kept.later.site)}` walks all earlier turns again: memory and time grow with every turn",
                help="cut the history once the turn is done, then `retain_graph=True` is not needed",
                witness=tuple(steps),
                subject=subject,
            )
        )
    return found


RULE = Rule(
    code="SP201",
    name="retained-carry",
    severity=Severity.WARNING,
    summary="`retain_graph=True` hides a carry: each turn walks all earlier turns, memory and time grow",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    history=tell,
)
