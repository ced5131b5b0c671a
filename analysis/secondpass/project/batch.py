"""Many files in one check: found, read and checked one after the other, or by several processes.

A file that cannot be read is one line of the report. A fault of ours in one file is told as such, and the rest goes on.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from secondpass.collecting import held_off, sweep
from secondpass.coverage import better
from secondpass.fault import guarded
from secondpass.findings import Backward, FileError, Finding, Report, Span
from secondpass.project.files import find
from secondpass.settings import Settings

if TYPE_CHECKING:
    from secondpass.project.modules import Project
    from secondpass.project.shared import Shared

WORTHWHILE = 60
"""From so many files on, processes of their own pay for their start."""


def check_batch(
    paths: Sequence[Path | str],
    settings: Settings,
    jobs: int | None,
    progress: Callable[[int, int], None] | None,
    cached: bool = False,
) -> Report:
    """Check everything under `paths`; with `cached`, files that are as at an earlier run are not checked again."""
    found = find(paths, settings)
    report = Report(errors=list(found.problems), unread={problem.path for problem in found.problems})
    files = found.files
    told: dict[tuple[str, Span], Finding] = {}
    for done, part in enumerate(_parts(files, settings, jobs, cached and len(files) > 1), 1):
        report.files += part.files
        report.walked |= part.walked
        report.unread |= part.unread
        for call, why in part.backwards.items():
            report.backwards[call] = better(report.backwards.get(call), why)
        for finding in part.findings:
            _keep(told, finding)
        report.errors += part.errors
        report.notes += part.notes
        if progress is not None:
            progress(done, len(files))
    known = report.walked | {at for finding in told.values() if not finding.entry and (at := _raises(finding))}
    checked = {str(file) for file in files}
    report.backwards = {call: why for call, why in sorted(report.backwards.items(), key=_place) if call.path in checked}
    report.findings = [finding for finding in told.values() if not (finding.entry and _raises(finding) in known)]
    return report


def _place(one: tuple[Backward, str]) -> tuple[str, int, int]:
    return one[0].path, -1 if one[0].cell is None else one[0].cell, one[0].line


def _raises(finding: Finding) -> tuple[str, int] | None:
    """Path and line of the walk that raises. What a whole program makes of a walk, right or wrong, counts before what
    a function that was run by itself makes of it."""
    at = finding.raises_at
    return (at.path, at.line) if at is not None else None


def _parts(files: Sequence[Path], settings: Settings, jobs: int | None, cached: bool) -> Iterator[Report]:
    """The report of each file, in the order of the files."""
    if not cached:
        yield from (one.report for one in _checked(files, settings, _processes(files, jobs)))
        return
    from secondpass.project.cache import Cache

    cache = Cache(settings)
    known = {str(file): cache.report(str(file)) for file in files}
    changed = [file for file in files if known[str(file)] is None]
    checked = _checked(changed, settings, _processes(changed, jobs))
    for file in files:
        report = known[str(file)]
        if report is None:
            one = next(checked)
            report = one.report
            if not one.fault:
                cache.keep(str(file), report, one.files, one.folders)
        yield report
    cache.save()


def _processes(files: Sequence[Path], jobs: int | None) -> int:
    if not _forks() and sys.version_info < (3, 11):
        return 1  # a process of its own would begin with a look into the current folder for the standard library
    return jobs or (min(os.cpu_count() or 1, 8) if len(files) >= WORTHWHILE else 1)


def _forks() -> bool:
    """Whether a process can be made of this one as it is, with nothing imported again."""
    return sys.platform == "linux" and threading.active_count() == 1


def _keep(told: dict[tuple[str, Span], Finding], finding: Finding) -> None:
    """A place in a file that several others import is told once, as surely as any of them makes it."""
    key = (finding.rule, finding.span)
    before = told.get(key)
    if before is None or len(finding.assumptions) < len(before.assumptions):
        told[key] = finding


def _checked(files: Sequence[Path], settings: Settings, jobs: int) -> Iterator[Checked]:
    from secondpass.project.shared import Shared

    if jobs <= 1 or len(files) < 2:
        shared = Shared()
        with held_off():
            for file in files:
                yield check_file(file, settings, shared)
                sweep(everything=shared.settle())
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    if not _forks():
        os.environ["PYTHONSAFEPATH"] = "1"
    # Neighbours import the same files, so they go to the same process; the parcels are small enough to end together.
    size = max(1, min(16, len(files) // (8 * jobs)))
    with ProcessPoolExecutor(
        jobs, get_context("fork" if _forks() else "spawn"), initializer=_start, initargs=(settings,)
    ) as pool:
        yield from pool.map(_work, files, chunksize=size)


def _start(settings: Settings) -> None:
    """Begin a process of a check."""
    import gc

    from secondpass.project.shared import Shared

    # Ctrl-C reaches the workers too, but is the command's to answer: they end with the few files they have in hand.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    _Worker.settings, _Worker.shared = settings, Shared()


class _Worker:
    """What one process of a check keeps from file to file."""

    settings: ClassVar[Settings]
    shared: ClassVar[Shared]


def _work(path: Path) -> Checked:
    checked = check_file(path, _Worker.settings, _Worker.shared)
    sweep(everything=_Worker.shared.settle())
    return checked


@dataclass(slots=True)
class Checked:
    """One file's report, and what it hangs on: digests of files, and of the names in folders."""

    report: Report
    files: dict[str, str]
    folders: dict[str, str]
    fault: bool = False


def check_file(path: Path, settings: Settings, shared: Shared | None = None) -> Checked:
    """Check one file; what goes wrong with it is a line of its report."""
    from secondpass.project.shared import Shared

    shared = shared or Shared()
    name = str(path)
    around: list[Project] = []
    checked = Checked(Report(), {}, {})

    def check() -> Report:
        return _report(name, settings, shared, around)

    def fault(told: str) -> Report:
        shared.forget_machine()
        checked.fault = True
        return Report(files=1, errors=[FileError(name, 1, told)])

    checked.report = guarded(check, fault)
    for project in around:
        checked.files = {file: shared.digest(file) for file in project.read}
        checked.folders = {folder: shared.listing(folder) for folder in project.searched()}
    checked.files[name] = shared.digest(name)
    return checked


def _report(name: str, settings: Settings, shared: Shared, around: list[Project]) -> Report:
    """The report of one file; the project that it looked at is put into `around`."""
    from secondpass.engine import check_parsed, concerned, parse, project_of
    from secondpass.source.errors import SourceError

    try:
        text = shared.text(name)
    except SourceError as refused:
        return Report(errors=[refused.error], unread={name})
    report = Report(files=1)
    project = project_of(name, shared=shared)
    around += [project] if project is not None else []
    if concerned(text, name, lambda: project):
        parsed = partial(parse, text, name) if name.endswith(".ipynb") else partial(shared.source, name)
        check_parsed(parsed, settings, report, project)
    return report
