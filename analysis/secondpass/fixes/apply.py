"""`secondpass fix`: the preferred fix of each finding, one after the other until none is left, written to the file.

Fixing one finding may reveal the next, so a file is checked again after each. A file is written in one step (a new file
takes the old one's place, with its mode) and only if nobody else has written to it since it was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..findings import FileError, Finding, Fix
from ..project.files import find
from ..settings import Settings
from ..source.decode import decode, read_bytes
from ..source.errors import SourceError
from .change import Change, applied
from .notebook import changed_notebook
from .offer import fixes_in
from .proof import Ran, run
from .write import Refused, replace_file

ROUNDS = 50
"""Fixes of one file at most; far more than any file needs, so that nothing can go on for ever."""


@dataclass(slots=True)
class Fixed:
    """One file that was changed: its text before and after, and what was applied in which order."""

    path: str
    before: str
    after: str
    applied: list[tuple[Finding, Fix]]


@dataclass(slots=True)
class Outcome:
    files: int = 0
    """How many files could be read."""
    fixed: list[Fixed] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)
    """Findings that stay, with the fixes they have."""
    errors: list[FileError] = field(default_factory=list)


def fix_paths(
    paths: Sequence[str | Path],
    settings: Settings,
    *,
    rules: Sequence[str] = (),
    unsafe: bool = False,
    write: bool = True,
) -> Outcome:
    """Fix the files under `paths`; with `rules` only findings of these codes or prefixes.

    Without `unsafe` only fixes that change no gradient and keep no memory are applied. Without `write` nothing is
    written, and the outcome tells what would have been.
    """
    found = find(paths, settings)
    outcome = Outcome(errors=list(found.problems))
    for path in found.files:
        _fix_file(path, settings, tuple(rules), unsafe, write, outcome)
    return outcome


def _fix_file(
    path: Path, settings: Settings, rules: tuple[str, ...], unsafe: bool, write: bool, outcome: Outcome
) -> None:
    name = str(path)
    try:
        data = read_bytes(path)
        text, encoding = decode(data, name)
    except SourceError as refused:
        outcome.errors.append(refused.error)
        return
    outcome.files += 1
    after, done, left = fix_text(text, name, settings, rules=rules, unsafe=unsafe)
    outcome.left += left
    if not done:
        return
    if write:
        try:
            replace_file(path, data, after, encoding)
        except Refused as refusal:
            outcome.errors.append(FileError(name, 1, str(refusal)))
            outcome.left += [finding for finding, _ in done]
            return
    outcome.fixed.append(Fixed(name, text, after, done))


def fix_text(
    text: str, path: str, settings: Settings, *, rules: tuple[str, ...] = (), unsafe: bool = False
) -> tuple[str, list[tuple[Finding, Fix]], list[Finding]]:
    """The text with preferred fixes applied until none is left, what was applied, and the findings that stay."""
    done: list[tuple[Finding, Fix]] = []
    seen = {text}
    while True:
        ran = run(text, path, settings)
        if ran is None:
            return text, done, []
        left: list[Finding] = []
        chosen: tuple[Finding, Fix] | None = None
        for finding in ran.findings:
            if rules and not any(finding.rule.startswith(code) for code in rules):
                continue
            offered = finding.with_fixes(fixes_in(ran, finding, settings))
            fix = next((one for one in offered.fixes if one.preferred and (unsafe or one.safety == "safe")), None)
            if fix is None or len(done) >= ROUNDS:
                left.append(offered)
            elif chosen is None:
                chosen = offered, fix
                break
        if chosen is None:
            return text, done, left
        changed = apply_fix(ran, text, chosen[1])
        if changed in seen:  # two findings that undo each other's fixes: stop before the second
            return text, done, [*left, chosen[0]]
        seen.add(changed)
        text = changed
        done.append(chosen)


def apply_fix(ran: Ran, text: str, fix: Fix) -> str:
    """The file's text with one fix made; `ran` is the check of that text."""
    source = ran.source
    changes = []
    for edit in fix.edits:
        span = edit.span
        start = source.table.offset(source.joined_line(span.cell, span.line), span.column)
        end = source.table.offset(source.joined_line(span.cell, span.end_line), span.end_column)
        changes.append(Change(start, end, edit.text))
    if source.cells is None:
        return applied(text, changes)
    return changed_notebook(text, source, changes)
