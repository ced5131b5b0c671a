"""The proof of a fix: the changed text is parsed and run on the machine again.

A candidate is proved when its finding is gone, no other finding came of it, and the program still runs to its end if
nothing else stops it. What a fix reveals (a second fault that the first had hidden) is told apart from what it causes
by where it surfaces. What the run trains is kept with it: a cut that starves a parameter is a worse cut.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ..collecting import held_off
from ..engine import parse, project_of, run_as_meant, run_source
from ..findings import Finding, Report
from ..machine.graph import Leaf, reach
from ..machine.run import Outcome
from ..settings import Settings
from ..source.errors import SourceError
from ..source.source import Source
from .change import Change, Conflict, applied, ordered, smallest
from .reach import DEFINITIONS, untouched, without
from .scene import again, story_of
from .training import Born, Place, Training, place, training

if TYPE_CHECKING:
    from ..project.modules import Project

Key: TypeAlias = tuple[str, str, object]
"""What two findings of one cause have in common: rule, file and place."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A text that was checked: what was found, and what its run showed."""

    source: Source
    outcome: Outcome
    findings: tuple[Finding, ...]
    project: Project | None = None

    @property
    def finished(self) -> bool:
        return bool(self.outcome.paths) and self.outcome.paths[0].record.finished

    @property
    def misfits(self) -> int:
        """At how many calls the program raises of itself, as far as the machine sees."""
        records = [path.record for path in self.outcome.paths] + self.outcome.entries
        return len({id(site) for record in records for site in record.misfits})

    @property
    def rootless(self) -> list[ast.AST]:
        """Where the program walks what has no graph, as far as the machine sees."""
        records = [path.record for path in self.outcome.paths] + self.outcome.entries
        return list(dict.fromkeys(site for record in records for site in record.rootless))

    def training(self, entry: str = "") -> Training:
        """What the program's run trains, or, if it trains nothing, the run of an entry (of all of them)."""
        main = [path.record for path in self.outcome.paths[:1]]
        if not entry and any(record.walks for record in main):
            return training(main)
        return training(record for record in self.outcome.entries if not entry or record.entry == entry)


@dataclass(frozen=True, slots=True)
class Proved:
    """A candidate's text after it was run."""

    text: str
    ran: Ran
    revealed: tuple[Finding, ...]
    """What shows only now, hints aside."""
    training: Training
    """What is trained then, in places of the text as it was."""
    stands: Callable[[Born], bool]
    """Whether a place of the text as it was is still there."""

    @property
    def ends(self) -> bool:
        """Whether nothing that raises was revealed: only then is it known what the program trains."""
        return not any(finding.raises_at for finding in self.revealed)


def run(
    text: str,
    path: str,
    settings: Settings,
    project: Project | None = None,
    leaving: set[str] | None = None,
    texts: Mapping[str, str] | None = None,
    seeing: bool = False,
) -> Ran | None:
    """Check a text and keep its run; None if it is no Python any more.

    `project` is that of an earlier run, whose other files need not be read again; `leaving` names definitions that are
    not run; `texts` is the unsaved text of other files, as in `check_text`; with `seeing` the run also tells what was
    seen of each expression.
    """
    try:
        source = parse(text, path)
    except SourceError:
        return None
    around = again(project) if project is not None else project_of(source.path, texts)
    return _ran(source, settings, around, leaving, seeing)


def _ran(
    source: Source,
    settings: Settings,
    project: Project | None,
    leaving: set[str] | None = None,
    seeing: bool = False,
) -> Ran:
    report = Report()
    with held_off(), without(source.tree, leaving or set()):
        outcome = run_source(source, settings, report, project, seeing)
    return Ran(source, outcome, tuple(report.findings), project)


class Proof:
    """Proves candidates for one finding of one check; `home` is the file they change, by default the checked one."""

    def __init__(
        self, before: Ran, finding: Finding, settings: Settings, idle: dict[str, set[str]], home: Source | None = None
    ) -> None:
        self.before = before
        self.finding = finding
        self.settings = settings
        self.idle = idle
        """Definitions that need not run again unless they have to do with what is changed (see `reach`)."""
        self.home = home or before.source
        self.runs = 0
        self._meant: Training | None = None
        story = story_of(before.outcome, finding)
        self.entry = story.event.entry if story is not None else ""
        """The function that was run with unknown arguments when the finding was made, if it was."""

    def prove(self, changes: Sequence[Change]) -> Proved | None:
        """The changed text's run if the changes are a fix; None if not."""
        try:
            text = applied(self.home.text, changes)
        except Conflict:
            return None
        if text == self.home.text:
            return None
        self.runs += 1
        after = self._run(text, changes)
        home = self._home_of(after) if after is not None else None
        if after is None or home is None or len(home.problems) > len(self.home.problems):
            return None
        moved = _Moved(self.home, home, changes)
        if not self._still_walks(moved, after) or after.misfits > self.before.misfits:
            return None
        if {place(site) for site in after.rootless} - {moved.place(site) for site in self.before.rootless}:
            return None
        known = {moved.key(f) for f in self.before.findings if f is not self.finding}
        revealed: list[Finding] = []
        for finding in after.findings:
            key = _key(home, finding)
            if key == moved.key(self.finding) or self._same_cause(moved, after, finding):
                return None
            if key in known:
                continue
            if moved.touches(finding, home):
                return None
            if finding.severity.serious:
                revealed.append(finding)
        stopped = any(finding.raises_at for finding in after.findings)  # by a fault that is told
        if not stopped and not after.finished and not after.outcome.exhausted and self._ran_on:
            return None
        exact = _Moved(self.home, home, [smallest(self.home.text, change) for change in changes])
        return Proved(text, after, tuple(revealed), exact.back(after.training(self.entry)), exact.stands)

    @property
    def meant(self) -> Training:
        """What the program would train if every graph were kept."""
        if self._meant is None:
            project = again(self.before.project) if self.before.project is not None else None
            with held_off():
                outcome = run_as_meant(self.before.source, self.settings, project)
            self._meant = Ran(self.before.source, outcome, (), project).training(self.entry)
        return self._meant

    @property
    def _ran_on(self) -> bool:
        """Whether nothing but this finding stood between the program and its end, as far as the machine sees."""
        return self.before.finished or (self.finding.raises_at is not None and not self.finding.assumptions)

    def _run(self, text: str, changes: Sequence[Change]) -> Ran | None:
        source, project = self.before.source, self.before.project
        if self.home is not source and project is not None:
            changed = type(project)(project.main, {**project.texts, self.home.path: text})
            changed.sources = {path: one for path, one in project.sources.items() if path != self.home.path}
            return run(source.text, source.path, self.settings, changed, set(self.idle))
        if source.cells is None:
            return run(text, source.path, self.settings, project, self._leaving(changes))
        return run_cells(source, changes, self.settings)

    def _home_of(self, after: Ran) -> Source | None:
        if self.home is self.before.source:
            return after.source
        return after.project.sources.get(self.home.path) if after.project is not None else None

    def _leaving(self, changes: Sequence[Change]) -> set[str]:
        """The definitions that these changes cannot concern."""
        if not self.idle:
            return set()
        source, edited = self.before.source, set()
        lines = [source.table.position(at)[0] for change in changes for at in (change.start, change.end)]
        for statement in source.tree.body:
            if isinstance(statement, DEFINITIONS):
                last = statement.end_lineno or statement.lineno
                if any(statement.lineno - 1 <= line <= last + 1 for line in lines):
                    edited.add(statement.name)
        return untouched(self.idle, edited)

    def _still_walks(self, moved: _Moved, after: Ran) -> bool:
        """Whether the program still makes every walk it made, each from something that requires grad.

        Where a loss lost its whole graph PyTorch raises another error; the machine passes over such a walk.
        """
        if not self.before.outcome.paths or not after.outcome.paths:
            return True
        made: Counter[tuple[str, int]] = Counter()
        for walk in self.before.outcome.paths[0].record.walks:
            at = moved.place(walk.site)
            if at is not None:
                made[at] += 1
        there: Counter[tuple[str, int]] = Counter()
        for walk in after.outcome.paths[0].record.walks:
            if any(type(n) is Leaf for n in reach(walk.roots)):
                there[place(walk.site)] += 1
        # A loop in which nothing happens any more is run for two iterations only.
        return all(there[at] >= min(count, 2) for at, count in made.items())

    def _same_cause(self, moved: _Moved, after: Ran, finding: Finding) -> bool:
        """Whether a finding at the walk at which ours surfaced tells of the same graph: ours is not cured then.

        One that tells of a graph built elsewhere was hidden behind ours; an in-place error at our walk never was.
        """
        ours, theirs = self.finding.raises_at, finding.raises_at
        if ours is None or theirs is None or ours.path != theirs.path:
            return False
        if ours.path == self.home.path:
            if moved.line(ours.cell, ours.line) != moved.after.joined_line(theirs.cell, theirs.line):
                return False
        elif (ours.cell, ours.line) != (theirs.cell, theirs.line):
            return False
        if finding.rule.startswith("SP2") and not self.finding.rule.startswith("SP2"):
            return True
        old, new = story_of(self.before.outcome, self.finding), story_of(after.outcome, finding)
        if old is None or new is None:
            return True
        built = {moved.place(node.site) for node in (old.node, old.stale)}
        again = {place(node.site) for node in (new.node, new.stale)}
        return bool(built & again)


def run_cells(source: Source, changes: Sequence[Change], settings: Settings) -> Ran | None:
    """A notebook with changed cells, checked."""
    from ..source.notebook import join_cells

    try:
        after = join_cells(changed_cells(source, changes), source.path)
    except SourceError:
        return None
    return _ran(after, settings, None)


def changed_cells(source: Source, changes: Sequence[Change]) -> list[tuple[int, str]]:
    """The code cells of a notebook after changes to its joined text, by their index."""
    found: list[tuple[int, str]] = []
    for cell in source.cells or ():
        start = source.table.offset(cell.first, 1)
        end = start + len(cell.text)
        mine = [
            Change(c.start - start, c.end - start, c.text)
            for c in ordered(changes)
            if start <= c.start and c.end <= end
        ]
        found.append((cell.index, applied(cell.text, mine)))
    return found


class _Moved:
    """Where places of the old text stand in the new one."""

    def __init__(self, before: Source, after: Source, changes: Sequence[Change]) -> None:
        self.before, self.after = before, after
        self.changes = ordered(changes)

    def offset(self, old: int) -> int:
        """Where a place went: past what was put in before it or right at it."""
        shift = 0
        for change in self.changes:
            if change.end <= old and (change.start < old or change.text.endswith(("\n", "\r", "\t", " "))):
                shift += len(change.text) - (change.end - change.start)
            elif change.start < old < change.end:
                return change.start + shift + min(old - change.start, len(change.text))
        return old + shift

    def place(self, site: ast.AST) -> tuple[str, int] | None:
        """Where a node of the old run stands in the new one; None if it was taken out or written anew."""
        unit = _unit(site)
        if unit.path != self.before.path:
            return place(site)
        start, end = _offset(unit, site), _end(unit, site)
        if any(change.start <= start and end <= change.end for change in self.changes):
            return None
        return unit.path, self.offset(start)

    def back(self, after: Training) -> Training:
        """What is trained, in places of the old text; what is made in new text is left out."""
        found = self._leaves(after)
        for (born, walk, use), number in after.shares.items():
            here, at, used = self._known(born), self._origin(walk), self._known(use)
            if here is None or at is None:
                continue
            if used is None:
                found.anew.add((here, at))
            else:
                found.shares[here, at, used] = number
        return found

    def _known(self, born: Born) -> Born | None:
        there = [self._origin(at) for at in born]
        known = tuple(at for at in there if at is not None)
        return known if len(known) == len(born) else None

    def _leaves(self, after: Training) -> Training:
        found = Training(steps=after.steps, asks=after.asks)
        for born, leaf in after.leaves.items():
            known = self._known(born)
            if known is not None:
                found.leaves[known] = leaf
                found.iterations[known] = after.iterations[born]
        return found

    def _origin(self, at: Place) -> Place | None:
        """Where a place of the new text was in the old one; None if a change brought it."""
        path, offset = at
        if path != self.before.path:
            return at
        shift = 0
        for change in self.changes:
            start, end = change.start + shift, change.start + shift + len(change.text)
            if offset < start:
                break
            if offset < end:
                return None
            shift += len(change.text) - (change.end - change.start)
        return path, offset - shift

    def stands(self, born: Born) -> bool:
        """Whether what is made at a place of the old text is still made there."""
        return not any(
            change.start <= offset < change.end
            for path, offset in born
            if path == self.before.path
            for change in self.changes
        )

    def line(self, cell: int | None, line: int) -> int:
        number = self.before.joined_line(cell, line)
        text = self.before.line(number)
        at = self.before.table.offset(number, len(text) - len(text.lstrip()) + 1)
        return self.after.table.position(min(self.offset(at), len(self.after.text)))[0]

    def key(self, finding: Finding) -> Key:
        span = finding.span
        if span.path != self.before.path:
            return finding.rule, span.path, (span.line, span.column)
        return (
            finding.rule,
            span.path,
            self.offset(self.before.table.offset(self.before.joined_line(span.cell, span.line), span.column)),
        )

    def touches(self, finding: Finding, source: Source) -> bool:
        """Whether a new finding stands on a line that a change has made."""
        if finding.span.path != source.path:
            return False
        first = source.joined_line(finding.span.cell, finding.span.line)
        last = source.joined_line(finding.span.cell, finding.span.end_line)
        shift = 0
        for change in self.changes:
            start = source.table.position(change.start + shift)[0]
            end = source.table.position(change.start + shift + len(change.text))[0]
            shift += len(change.text) - (change.end - change.start)
            if start <= last and first <= end:
                return True
        return False


def _key(source: Source, finding: Finding) -> Key:
    span = finding.span
    if span.path != source.path:
        return finding.rule, span.path, (span.line, span.column)
    return finding.rule, span.path, source.table.offset(source.joined_line(span.cell, span.line), span.column)


def _unit(site: ast.AST) -> Source:
    unit: Source = site.unit  # type: ignore[attr-defined]
    return unit


def _offset(source: Source, site: ast.AST) -> int:
    line: int = site.lineno  # type: ignore[attr-defined]
    return source.table.offset(line, source.table.column(line, site.col_offset))  # type: ignore[attr-defined]


def _end(source: Source, site: ast.AST) -> int:
    line: int = site.end_lineno  # type: ignore[attr-defined]
    return source.table.offset(line, source.table.column(line, site.end_col_offset))  # type: ignore[attr-defined]
