"""The way of a check: text, tree, machine, record, rules, findings. The one place where the rooms are put together."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from secondpass.collecting import held_off
from secondpass.coverage import backwards_of, followed_elsewhere
from secondpass.findings import FileError, Finding, Fix, Report, Severity
from secondpass.settings import Settings
from secondpass.source.relevance import SUPPRESSES, runs_by_itself, speaks_of_autograd, walks

if TYPE_CHECKING:
    from secondpass.machine.run import Outcome
    from secondpass.project.modules import Project
    from secondpass.project.shared import Shared
    from secondpass.source.source import Source


def check_text(
    text: str, path: str = "<stdin>", settings: Settings | None = None, texts: Mapping[str, str] | None = None
) -> Report:
    """Check one text. `path` names it in the findings and says what it is (`.ipynb` for a notebook).

    `texts` is the unsaved text of other files, by path: where they are imported it counts instead of what is on disk.
    """
    settings = settings or Settings()
    report = Report(files=1)
    project = project_of(path, texts)
    if concerned(text, path, lambda: project):
        check_parsed(lambda: parse(text, path), settings, report, project)
    return report


def check_parsed(parsed: Callable[[], Source], settings: Settings, report: Report, project: Project | None) -> None:
    """Add to the report what is to be told of one text, or that it cannot be parsed."""
    from secondpass.source.errors import SourceError

    try:
        source = parsed()
    except SourceError as error:
        report.errors.append(error.error)
        report.unread.add(error.error.path)
        return
    with held_off():
        check_source(source, settings, report, project)


def concerned(text: str, path: str, project: Callable[[], Project | None]) -> bool:
    """Whether there can be anything to tell of a text; else it is not even parsed."""
    return speaks_of_autograd(text) or SUPPRESSES in text or _reaches_a_walk(text, path, project())


def parse(text: str, path: str) -> Source:
    """Text to tree, for a Python file or a notebook."""
    if path.endswith(".ipynb"):
        from secondpass.source.notebook import parse_notebook

        return parse_notebook(text, path)
    from secondpass.source.source import parse as parse_file

    return parse_file(text, path)


def check_source(
    source: Source,
    settings: Settings,
    report: Report,
    project: Project | None = None,
    first: Callable[[], Outcome] | None = None,
) -> None:
    """Add to the report what is to be told of one parsed file; the machine runs if anything in it walks a graph.

    `first`: see `run_source`.
    """
    if not runs_by_itself(source.text) and not _reaches_a_walk(source.text, source.path, project):
        _tell_problems(source, report)
        report.backwards.update(backwards_of(source, None))
        _tell_unused(source, settings, report)
    else:
        run_source(source, settings, report, project, first=first)


def run_source(
    source: Source,
    settings: Settings,
    report: Report,
    project: Project | None = None,
    seeing: bool = False,
    first: Callable[[], Outcome] | None = None,
) -> Outcome:
    """Run the machine over one parsed file, add what the rules tell to the report, and give the runs.

    With `seeing` they also tell what was seen of each expression. `first` makes the first run, where there is a quicker
    way to the same.
    """
    _tell_problems(source, report)
    told, outcome = _told_all(source, settings, project, seeing, first)
    report.findings.extend(told)
    report.backwards.update(followed_elsewhere(source, outcome) | backwards_of(source, outcome))
    _tell_unused(source, settings, report)
    if not any(path.record.raises for path in outcome.paths):
        report.walked |= {_line_of(walk.site) for path in outcome.paths[:1] for walk in path.record.walks}
    for record in [p.record for p in outcome.paths[:1]] + outcome.entries:
        for cut in record.cuts:
            report.notes.append(_note(source, cut.site, cut.what))
    return outcome


def _at_lines(lines: Set[tuple[str, int]]) -> Callable[[ast.AST], bool] | None:
    return (lambda site: _line_of(site) in lines) if lines else None


def run_as_meant(source: Source, settings: Settings, project: Project | None = None) -> Outcome:
    """The program's runs as if every graph were kept: each walk is made, and no failure ends one."""
    return _analyse(source, settings, project, lambda site: True, False)


def _tell_problems(source: Source, report: Report) -> None:
    """What of a file could not be parsed, and which of its comments are not understood."""
    report.errors.extend(source.problems)
    report.errors.extend(source.suppressions.problems)


def _told_all(
    source: Source,
    settings: Settings,
    project: Project | None,
    seeing: bool,
    first: Callable[[], Outcome] | None,
) -> tuple[list[Finding], Outcome]:
    """What is told of a file. A failure that is not to be told hides nothing: the program is run on past it."""
    left_alone: set[tuple[str, int]] = set()
    while True:
        if first is not None and not left_alone:
            outcome = first()
        else:
            outcome = _analyse(source, settings, project, _at_lines(left_alone), seeing)
        told, silenced = _told(source, settings, project, outcome)
        more = {(f.raises_at.path, f.raises_at.line) for f in silenced if f.raises_at and source.cells is None}
        if more <= left_alone:
            return told, outcome
        left_alone |= more


def _told(
    source: Source, settings: Settings, project: Project | None, outcome: Outcome
) -> tuple[list[Finding], list[Finding]]:
    """The findings that are to be told, and those that are not (not selected, or suppressed)."""
    from secondpass.rules.verdict import findings_of

    told: list[Finding] = []
    silenced: list[Finding] = []
    for finding in findings_of(outcome):
        home = source
        if finding.span.path != source.path and project is not None:
            home = project.sources.get(finding.span.path) or source
        line = home.joined_line(finding.span.cell, finding.span.line)
        end = home.joined_line(finding.span.cell, finding.span.end_line)
        silent = not selected(finding.rule, settings) or _ignored_there(finding, settings)
        if silent or home.suppressions.suppressed(finding.rule, line, end, finding.name) is not None:
            silenced.append(finding)
            continue
        level = settings.severity.get(finding.rule)
        told.append(finding if level is None else _with_severity(finding, level))
    return told, silenced


def _ignored_there(finding: Finding, settings: Settings) -> bool:
    """Whether the settings do not want this rule told of this file."""
    if not settings.per_file_ignores:
        return False
    from secondpass.project.files import ignored_for

    return any(finding.rule.startswith(code) for code in ignored_for(Path(finding.span.path), settings))


def _tell_unused(source: Source, settings: Settings, report: Report) -> None:
    if source.suppressions.all and selected("SP900", settings):
        from secondpass.rules.sp900 import tell_unused

        report.findings.extend(tell_unused(source.suppressions, lambda code: selected(code, settings)))


def project_of(path: str, texts: Mapping[str, str] | None = None, shared: Shared | None = None) -> Project | None:
    """The project a file lies in; None for a notebook, and for a text that is no file."""
    if path.endswith(".ipynb") or not Path(path).is_file():
        return None
    from secondpass.project.modules import Project

    return Project(path, texts, shared)


def _reaches_a_walk(text: str, path: str, project: Project | None) -> bool:
    if project is None:
        return False
    from secondpass.project.reach import reaches_a_walk

    return reaches_a_walk(text, path, project)


def _analyse(
    source: Source,
    settings: Settings,
    project: Project | None,
    forgives: Callable[[ast.AST], bool] | None,
    seeing: bool,
) -> Outcome:
    """Every run of the program, as recorded by the machine. It goes on past failures that are forgiven."""
    from secondpass.machine.machine import Machine
    from secondpass.machine.run import run_program
    from secondpass.pytorch.library import PyTorch

    machine = Machine(PyTorch(), settings.budget)
    if project is not None:
        machine = project.shared.machine(machine)
    cells = _walking_cells(source)
    return run_program(source.tree, source, machine.library, settings.budget, project, seeing, cells, forgives, machine)


def _walking_cells(source: Source) -> list[list[ast.stmt]] | None:
    """The statements of each cell of a notebook that walks a graph."""
    if source.cells is None:
        return None
    found: dict[int, list[ast.stmt]] = {}
    for node in source.tree.body:
        cell = source.span(node).cell
        if cell is not None:
            found.setdefault(cell, []).append(node)
    return [found[cell.index] for cell in source.cells if cell.index in found and walks(cell.text)]


def _line_of(site: ast.AST) -> tuple[str, int]:
    """Path and line at which PyTorch would name a walk."""
    from secondpass.rules.places import surface_line, unit_of

    return unit_of(site).path, surface_line(site)


def _note(source: Source, site: ast.AST, what: str) -> FileError:
    return FileError(source.path, getattr(site, "lineno", 1), what)


def _with_severity(finding: Finding, level: Severity) -> Finding:
    from dataclasses import replace

    return replace(finding, severity=level)


def selected(code: str, settings: Settings) -> bool:
    """Whether a rule is wanted: `ignore` is stronger than `select`, both may give prefixes."""
    if any(code.startswith(c) for c in settings.ignore):
        return False
    return not settings.select or any(code.startswith(c) for c in settings.select)


Progress = Callable[[int, int], None]


def check_paths(
    paths: Sequence[Path | str],
    settings: Settings | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    cached: bool = False,
) -> Report:
    """Check files and folders; what cannot be read is an error of the report, and the rest goes on.

    With `cached`, what was found at earlier runs is taken from the disk where nothing has changed, and kept there.
    """
    from secondpass.project.batch import check_batch

    return check_batch(paths, settings or Settings(), jobs, progress, cached)


def fixes_for(text: str, path: str, finding: Finding, settings: Settings | None = None) -> tuple[Fix, ...]:
    """The proved fixes of a finding of this text, best first; empty if there is none or no such finding."""
    from secondpass.fixes.offer import fixes_for as offered

    return offered(text, path, finding, settings)
