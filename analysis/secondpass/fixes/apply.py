"""`secondpass fix`: the preferred fix of each finding, one after the other until none is left, written to the file.

Fixing one finding may reveal the next, so a file is checked again after each. A file is written in one step (a new file
takes the old one's place, with its mode) and only if nobody else has written to it since it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..engine import parse
from ..fault import guarded
from ..findings import FileError, Finding, Fix
from ..project.files import find
from ..settings import Settings
from ..source.decode import decode, read_bytes
from ..source.errors import SourceError
from ..source.source import Source
from .change import Change, applied
from .notebook import changed_notebook
from .offer import fixes_in
from .proof import Ran, run
from .suppress import suppression
from .write import Refused, replace_file

if TYPE_CHECKING:
    from ..project.modules import Project

Fixing: TypeAlias = tuple[dict[str, str], list[tuple[Finding, Fix]], list[Finding]]
"""Texts by path, what was applied in which order, and the findings that stay."""
ROUNDS = 50
"""Fixes of one file at most; far more than any file needs, so that nothing can go on for ever."""


Choose = Callable[[str, Finding, Mapping[str, str], Sequence[tuple[Fix, Mapping[str, str]]]], Fix | None]
"""Which fix is taken: given the checked file, a finding, the texts as they are, and its fixes with the texts after."""


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
    choose: Choose | None = None,
) -> Outcome:
    """Fix the files under `paths`; with `rules` only findings of these codes or prefixes.

    Without `unsafe` only fixes that change no gradient and keep no memory are applied. Without `write` nothing is
    written, and the outcome tells what would have been. A fix may change another file of the project than the one in
    whose run it was found. `choose` takes the place of what is preferred.
    """
    found = find(paths, settings)
    outcome = Outcome(errors=list(found.problems))
    desk = _Desk(outcome, write)
    for path in found.files:
        name = str(path)
        text = desk.read(name)
        if text is None:
            continue
        outcome.files += 1
        before = {name: text}

        def fault(told: str, name: str = name) -> Fixing:
            outcome.errors.append(FileError(name, 1, told))
            return {}, [], []

        work = partial(fix_text, text, name, settings, rules=tuple(rules), unsafe=unsafe)
        texts, done, left = guarded(partial(work, others=desk.pending, choose=choose), fault)
        outcome.left += left
        for changed, after in texts.items():
            if changed not in before:
                desk.read(changed)
            mine = [(finding, fix) for finding, fix in done if fix.edits[0].span.path == changed]
            if mine:
                desk.put(changed, after, mine)
    return outcome


def silence(findings: Sequence[Finding], settings: Settings) -> Outcome:
    """Put a comment on the line of each finding, so that it is not told again."""
    outcome = Outcome()
    desk = _Desk(outcome, write=True)
    for path in dict.fromkeys(finding.span.path for finding in findings):
        text = desk.read(path)
        mine = [finding for finding in findings if finding.span.path == path]
        if text is None:
            outcome.left += mine
            continue
        done = []
        for finding in mine:
            fix = suppression(parse(text, path), finding)
            if fix is None:
                outcome.left.append(finding)
                continue
            text = edited(parse(text, path), text, fix)
            done.append((finding, fix))
        if done:
            desk.put(path, text, done)
    return outcome


class _Desk:
    """The files in hand: as they were read, and as they are after the fixes so far."""

    def __init__(self, outcome: Outcome, write: bool) -> None:
        self.outcome = outcome
        self.write = write
        self.pending: dict[str, str] = {}
        """Texts that differ from what is on disk, by path (only where nothing is written)."""
        self._read: dict[str, tuple[bytes, str, str]] = {}
        self._fixed: dict[str, Fixed] = {}

    def read(self, name: str) -> str | None:
        """The file's text as it is by now; None if it cannot be read, which is told."""
        if name in self.pending:
            return self.pending[name]
        try:
            data = read_bytes(Path(name))
            text, encoding = decode(data, name)
        except SourceError as refused:
            self.outcome.errors.append(refused.error)
            return None
        self._read[name] = data, text, encoding
        return text

    def put(self, name: str, after: str, applied: list[tuple[Finding, Fix]]) -> None:
        """Write a file, or only remember what would be written."""
        data, before, encoding = self._read[name]
        if self.write:
            try:
                replace_file(Path(name), data, after, encoding)
            except Refused as refusal:
                self.outcome.errors.append(FileError(name, 1, str(refusal)))
                self.outcome.left += [finding for finding, _ in applied]
                return
        else:
            self.pending[name] = after
        known = self._fixed.get(name)
        if known is None:
            known = self._fixed[name] = Fixed(name, before, after, [])
            self.outcome.fixed.append(known)
        known.after = after
        known.applied += applied


def fix_text(
    text: str,
    path: str,
    settings: Settings,
    *,
    rules: tuple[str, ...] = (),
    unsafe: bool = False,
    others: Mapping[str, str] | None = None,
    choose: Choose | None = None,
) -> Fixing:
    """Preferred fixes applied until none is left: texts by path, what was applied, and the findings that stay.

    The texts hold the one given, and of other files of its project those that a fix has changed; `others` has the
    texts of files that are not on disk as they are.
    """
    texts = {path: text}
    done: list[tuple[Finding, Fix]] = []
    seen = [dict(texts)]
    while True:
        around = {**(others or {}), **{name: one for name, one in texts.items() if name != path}}
        ran = run(texts[path], path, settings, _project(path, around))
        if ran is None:
            return texts, done, []
        left: list[Finding] = []
        chosen: tuple[Finding, Fix] | None = None
        for finding in ran.findings:
            if rules and not any(finding.rule.startswith(code) for code in rules):
                continue
            offered = finding.with_fixes(fixes_in(ran, finding, settings))
            allowed = [one for one in offered.fixes if unsafe or one.safety == "safe"]
            fix = next((one for one in allowed if one.preferred), None)
            if choose is not None and allowed and len(done) < ROUNDS:
                now = {**around, path: texts[path]}
                fix = choose(path, finding, now, [(one, {**now, **_after(ran, texts, one)}) for one in allowed])
            if fix is None or len(done) >= ROUNDS:
                left.append(offered)
            else:
                chosen = offered, fix
                break
        if chosen is None:
            return texts, done, left
        changed = {**texts, **_after(ran, texts, chosen[1])}
        if changed in seen:  # two findings that undo each other's fixes: stop before the second
            return texts, done, [*left, chosen[0]]
        seen.append(changed)
        texts = changed
        done.append(chosen)


def _after(ran: Ran, texts: Mapping[str, str], fix: Fix) -> dict[str, str]:
    """The text of the file that a fix changes, by its path."""
    return {fix.edits[0].span.path: apply_fix(ran, texts[ran.source.path], fix)}


def _project(path: str, texts: dict[str, str]) -> Project | None:
    """The project around a file as it is with these texts; None where what is on disk will do."""
    if not texts:
        return None
    from ..project.modules import Project

    return Project(path, texts)


def apply_fix(ran: Ran, text: str, fix: Fix) -> str:
    """The text of the file that a fix changes; `ran` is the check in which it was found, of a file with `text`."""
    path = fix.edits[0].span.path
    source = ran.source
    if path != source.path and ran.project is not None:
        source = ran.project.sources.get(path) or source
        text = source.text
    return edited(source, text, fix)


def edited(source: Source, text: str, fix: Fix) -> str:
    """The text of a file (as it was read) after the edits of a fix; `source` is that text, parsed."""
    changes = []
    for edit in fix.edits:
        span = edit.span
        start = source.table.offset(source.joined_line(span.cell, span.line), span.column)
        end = source.table.offset(source.joined_line(span.cell, span.end_line), span.end_column)
        changes.append(Change(start, end, edit.text))
    if source.cells is None:
        mark = "\ufeff" if text.startswith("\ufeff") else ""  # which places do not count
        return mark + applied(source.text, changes)
    return changed_notebook(text, source, changes)
