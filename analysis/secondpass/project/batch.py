"""Many files in one check: found, read and checked one after the other, or by several processes.

A file that cannot be read is one line of the report. A fault of ours in one file is told as such, and the rest goes on.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from secondpass.fault import guarded
from secondpass.findings import FileError, Finding, Report, Span
from secondpass.project.files import find
from secondpass.settings import Settings

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
    if jobs <= 1 or len(files) < 2:
        yield from (check_file(file, settings) for file in files)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Ctrl-C reaches the workers too, but is the command's to answer: they end with the few files they have in hand.
    deaf = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=signal.signal, initargs=deaf) as pool:
        yield from pool.map(partial(check_file, settings=settings), files, chunksize=4)


def check_file(path: Path, settings: Settings) -> Report:
    """Check one file; what goes wrong with it is a line of its report."""
    from secondpass.engine import check_text
    from secondpass.source.decode import decode, read_bytes
    from secondpass.source.errors import SourceError

    name = str(path)
    try:
        text, _ = decode(read_bytes(path), name)
    except SourceError as refused:
        return Report(errors=[refused.error])
    return guarded(
        lambda: check_text(text, name, settings), lambda told: Report(files=1, errors=[FileError(name, 1, told)])
    )
