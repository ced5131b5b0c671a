"""How SP301 and SP302 word a place that grows."""

from __future__ import annotations

import ast

from secondpass.findings import Finding, Severity, Step
from secondpass.rules.history import Growth
from secondpass.rules.places import span_of, text_of, unit_of
from secondpass.rules.story import turn_in


def subject_of(growth: Growth) -> str:
    """The place as written: `total`, `self.sum`, `losses`."""
    site = growth.store.site
    if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute):
        return text_of(site.func.value)
    if isinstance(site, ast.AugAssign):
        return text_of(site.target)
    return text_of(site)


def growth_finding(growth: Growth, code: str, name: str, says: str) -> Finding:
    """A warning at the store, with the turn that first put something there and a walk that used it up."""
    subject = subject_of(growth)
    site = growth.store.site
    steps = [
        Step(
            "built",
            span_of(growth.first.site),
            turn_in(growth.first.turns, growth.loop),
            "the first turn's graph is still held",
        )
    ]
    if growth.walk is not None:
        steps.append(
            Step(
                "consumed",
                span_of(growth.walk.site),
                turn_in(growth.walk.turns, growth.loop),
                "each turn's own walk is done with it here",
            )
        )
    steps.append(Step("carried", span_of(site), growth.turn, f"`{subject}` holds on to it"))
    loop = growth.loop
    header = None
    if isinstance(loop, (ast.For, ast.While)):
        end = unit_of(loop).span(loop.iter if isinstance(loop, ast.For) else loop.test)
        start = span_of(loop)
        header = type(start)(start.path, start.line, start.column, end.end_line, end.end_column + 1, start.cell)
    return Finding(
        rule=code,
        name=name,
        severity=Severity.WARNING,
        span=span_of(site),
        message=f"`{subject}` {says}",
        help="keep the number (`.item()`) or the detached tensor (`.detach()`)",
        witness=tuple(steps),
        loop=header,
        subject=subject,
    )
