"""Many files in one check: found, read and checked one after the other, or by several processes.

A file that cannot be read is one line of the report. A fault of ours in one file is told as such, and the rest goes on.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from secondpass.collecting import held_off, sweep
from secondpass.fault import guarded
from secondpass.findings import FileError, Finding, Report, Span
from secondpass.project.files import find
from secondpass.settings import Settings

if TYPE_CHECKING:
    from secondpass.project.shared import Shared

WORTHWHILE = 60
"""From so many files on, processes of their own pay for their start."""


def check_batch(
    paths: Sequence[Path | str], settings: Settings, jobs: int | None, progress: Callable[[int, int], None] | None
) -> Report:
    """Check everything under `paths`."""
    found = find(paths, settings)
    report = Report(errors=list(found.problems))
    files = found.files
    told: dict[tuple[str, Span], Finding] = {}
    count = jobs or (min(os.cpu_count() or 1, 8) if len(files) >= WORTHWHILE else 1)
    for done, part in enumerate(_checked(files, settings, count), 1):
        report.files += part.files
        report.walked |= part.walked
        for finding in part.findings:
            _keep(told, finding)
        report.errors += part.errors
        report.notes += part.notes
        if progress is not None:
            progress(done, len(files))
    report.findings = [f for f in told.values() if not _shown_right(f, report)]
    return report


def _shown_right(finding: Finding, report: Report) -> bool:
    """Whether a finding about a function run by itself is of a walk that a whole program makes without raising."""
    at = finding.raises_at
    return bool(finding.entry) and at is not None and (at.path, at.line) in report.walked


def _keep(told: dict[tuple[str, Span], Finding], finding: Finding) -> None:
    """A place in a file that several others import is told once, as surely as any of them makes it."""
    key = (finding.rule, finding.span)
    before = told.get(key)
    if before is None or len(finding.assumptions) < len(before.assumptions):
        told[key] = finding


def _checked(files: Sequence[Path], settings: Settings, jobs: int) -> Iterator[Report]:
    from secondpass.project.shared import Shared

    if jobs <= 1 or len(files) < 2:
        shared = Shared()
        with held_off():
            for file in files:
                yield check_file(file, settings, shared)
                sweep()
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Neighbours import the same files, so they go to the same process; the parcels are small enough to end together.
    size = max(1, min(16, len(files) // (8 * jobs)))
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(settings,)) as pool:
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


def _work(path: Path) -> Report:
    report = check_file(path, _Worker.settings, _Worker.shared)
    sweep()
    return report


def check_file(path: Path, settings: Settings, shared: Shared | None = None) -> Report:
    """Check one file; what goes wrong with it is a line of its report."""
    from secondpass.engine import check_parsed, concerned, parse, project_of
    from secondpass.project.shared import Shared
    from secondpass.source.errors import SourceError

    shared = shared or Shared()
    name = str(path)
    try:
        text = shared.text(name)
    except SourceError as refused:
        return Report(errors=[refused.error])
    report = Report(files=1)

    def check() -> Report:
        if concerned(text):
            parsed = partial(parse, text, name) if name.endswith(".ipynb") else partial(shared.source, name)
            check_parsed(parsed, settings, report, lambda source: project_of(source, shared=shared))
        return report

    def fault(told: str) -> Report:
        shared.forget_machine()
        return Report(files=1, errors=[FileError(name, 1, told)])

    try:
        return guarded(check, fault)
    finally:
        shared.settle()
