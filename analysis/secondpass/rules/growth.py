"""How SP301 and SP302 word a place that grows."""

from __future__ import annotations

import ast

from secondpass.findings import Finding, Severity, Step
from secondpass.machine.graph import Node
from secondpass.rules.carrier import name_of
from secondpass.rules.growing import Growth
from secondpass.rules.places import header_of, receiver_text, same_statement, span_of, text_of
from secondpass.rules.story import iteration_in


def subject_of(growth: Growth) -> str:
    """The place as written: `total`, `self.sum`, `losses`."""
    site = growth.store.site
    if isinstance(site, ast.AugAssign):
        return text_of(site.target)
    return receiver_text(site)


def findings_for(growths: list[Growth], code: str, name: str, says: str) -> list[Finding]:
    """One finding for each statement that makes a place grow (`total += loss` stores twice)."""
    told: list[Growth] = []
    for growth in growths:
        if not any(same_statement(growth.store.site, other.store.site) for other in told):
            told.append(growth)
    return [growth_finding(growth, code, name, says) for growth in told]


def growth_finding(growth: Growth, code: str, name: str, says: str) -> Finding:
    """A warning at the store, with the iteration that first put something there and a walk that used it up."""
    subject = subject_of(growth)
    site = growth.store.site
    kept = growth.kept
    iteration = iteration_in(kept.iterations, growth.loop)
    holder = next((name_of(h) for h in kept.holders or () if h.kind in ("name", "attribute") and not h.part), "")
    what = f"`{holder}` and its whole graph are" if holder and holder != subject else "whole graph is"
    steps = [Step("built", span_of(kept.site), iteration, f"iteration {iteration}'s {what} still held")]
    if growth.walk is not None:
        when = iteration_in(growth.walk.iterations, growth.loop)
        steps.append(
            Step("consumed", span_of(growth.walk.site), when, "each iteration's walk has used its graph up here")
        )
    steps.append(Step("carried", span_of(site), growth.iteration, f"`{subject}` holds on to it"))
    return Finding(
        rule=code,
        name=name,
        severity=Severity.WARNING,
        span=span_of(site),
        message=f"`{subject}` {says}",
        help=_help(growth, holder),
        witness=tuple(steps),
        loop=header_of(growth.loop),
        subject=subject,
    )


def _help(growth: Growth, holder: str) -> str:
    store = growth.store
    if store.kind == "attribute" and growth.statistic:
        fed = _fed_by(store.node)
        value = f"`{fed}.detach()`" if fed else "the detached value"
        return f"update it from {value}, or under `torch.no_grad()`"
    if store.kind == "container":
        return "keep the number (`.item()`) or the detached tensor (`.detach()`)"
    added = f"`{holder}.item()`" if holder.isidentifier() and holder != subject_of(growth) else "`.item()`"
    return f"keep the number ({added}) or the detached tensor (`.detach()`)"


def _fed_by(node: Node) -> str:
    """The name of what a statistic is updated from (`mean` of `a * self.mean + b * mean`)."""
    todo = [(node, 0)]
    while todo:
        at, depth = todo.pop(0)
        names = [name_of(h) for h in at.holders or () if h.kind == "name" and not h.part]
        if names and at is not node:
            return names[0]
        if depth < 3:
            todo.extend((n, depth + 1) for n in at.inputs if type(n) is Node)
    return ""
