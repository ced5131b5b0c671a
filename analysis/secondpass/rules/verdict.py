"""From all runs of a program to its findings: one per cause, with the assumptions it rests on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from secondpass.findings import Finding, Severity
from secondpass.machine.record import Raise, Record
from secondpass.machine.run import Outcome, Path
from secondpass.rules import ORDER, RULES
from secondpass.rules.history import History
from secondpass.rules.places import opposite, text_of
from secondpass.rules.sp107 import tell_rerun
from secondpass.rules.sp108 import tell_stateful
from secondpass.rules.story import Story

Key = tuple[int, int]


def findings_of(outcome: Outcome) -> list[Finding]:
    """What the rules tell of these runs, in the order of the file."""
    found: dict[tuple[object, ...], Finding] = {}
    keys = [{_key(r) for r in path.record.raises} for path in outcome.paths]
    for path in outcome.paths:
        for event in path.record.raises + path.record.silent:
            sites = _hangs_on(outcome, keys, path, event)
            finding = _tell(Story(event, tuple(_assumed(site, path.record) for site in sites)))
            if finding is not None:
                # Not as the program is by default: only for who asks for something else.
                _keep(found, _quieter(finding) if sites.keys() & _believed(event) else finding)
    for record in outcome.entries:
        if record.module:
            for event in record.raises[:1]:
                _keep(found, tell_stateful(Story(event, _assumptions_of(record)), record.module))
            continue
        for event in record.raises:
            finding = _tell(Story(event, (_called(record),)))
            if finding is not None:
                _keep(found, replace(finding, entry=record.entry))
    for record in outcome.reruns:
        _keep(found, tell_rerun(Story(record.raises[0])))
    for finding in _histories(outcome):
        _keep(found, finding)
    return sorted(found.values(), key=lambda f: (f.span, f.rule))


def _called(record: Record) -> str:
    """What is assumed of how an entry is called."""
    return record.said or f"`{record.entry}` is called as its parameters suggest"


def _keep(found: dict[tuple[object, ...], Finding], finding: Finding | None) -> None:
    """One finding per cause: the surer one, else the first."""
    if finding is None:
        return
    at = finding.raises_at
    # One walk raises once, however many ways lead to it.
    key: tuple[object, ...] = (at.path, at.line, at.cell) if at else (finding.span, finding.rule)
    before = found.get(key)
    if before is None or (len(finding.assumptions) < len(before.assumptions)):
        found[key] = finding


def _key(event: Raise) -> Key:
    return id(event.failure.node.site), id(event.failure.walk.site)


def _tell(story: Story) -> Finding | None:
    for code in ORDER:
        rule = RULES[code]
        if rule.failure is not None:
            finding = rule.failure(story)
            if finding is not None:
                return _quieter(finding) if story.event.through and code not in CERTAIN else finding
    return None


CERTAIN = ("SP101", "SP102", "SP103", "SP105")
"""What is worth a warning even when a module in it is not seen: a variable that goes through it and comes back, and a
loss walked twice. Whether two losses share a part of an unseen module is more of a guess."""


def _quieter(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.INFORMATION)


def _hangs_on(outcome: Outcome, keys: list[set[Key]], path: Path, event: Raise) -> dict[ast.AST, None]:
    """The places of the undecided conditions on which an event hangs: turned the other way, it does not happen.

    What happens on the sides of the options' defaults does not hang on those.
    """
    key = _key(event)
    if path.plan:
        return dict.fromkeys(s for s in path.plan if not _happens_without(outcome, keys, key, s))
    believed = _believed(event)
    hangs: list[ast.AST] = []
    for other, present in zip(outcome.paths, keys, strict=True):
        if len(other.plan) == 1 and key not in present:
            ((site, mode),) = other.plan.items()
            if mode == "flip" and site not in believed and any(c.site is site for c in event.choices):
                hangs.append(site)
    return dict.fromkeys(hangs[:2])


def _believed(event: Raise) -> set[ast.AST]:
    """The places of the choices of which an option's default says one side."""
    return {c.site for c in event.choices if c.believed}


def _assumptions_of(record: Record) -> tuple[str, ...]:
    """The conditions that a module's training took for granted."""
    return tuple(_assumed(s, record) for s in dict.fromkeys(c.site for c in record.choices))[:2]


def _happens_without(outcome: Outcome, keys: list[set[Key]], key: Key, site: ast.AST) -> bool:
    return any(key in present for path, present in zip(outcome.paths, keys, strict=True) if site not in path.plan)


def _assumed(site: ast.AST, record: Record) -> str:
    sides = [c.side for c in record.choices if c.site is site]
    text = getattr(site, "says", None) or text_of(site)
    if sides and all(sides):
        return f"`{text}` holds"
    if sides and not any(sides):
        positive = opposite(site)
        return f"`{positive}` holds" if positive else f"`{text}` is false"
    return f"`{text}` holds in some iterations and not in others"


def _histories(outcome: Outcome) -> Iterator[Finding]:
    """Growth and needless flags: told where the program, or a function that it does not call, runs to its end."""
    runs = [path.record for path in outcome.paths]
    if runs and not runs[0].raises:
        # An entry may be called after the program has run: its walks need what they need there.
        others = [*runs[1:], *outcome.entries]
        yield from _of_history(History(runs[0], others, outcome.complete and not any(o.raises for o in others)))
    for record in outcome.entries:
        if record.raises or record.module or record.said or not record.finished:
            continue
        # Whether a caller walks what they keep or return, who knows.
        known = not (record.choices or record.cuts or record.leaves_graph)
        others = [other for other in (*runs, *outcome.entries) if other is not record]
        for found in _of_history(History(record, others, known)):
            yield replace(found, entry=record.entry, assumptions=(*found.assumptions, _called(record)))


def _of_history(history: History) -> Iterator[Finding]:
    for rule in RULES.values():
        if rule.history is not None:
            yield from rule.history(history)
