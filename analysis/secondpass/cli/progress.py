"""A progress bar on stderr for runs that take long, where a person is looking; rich loads only once it is needed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 0.7
"""Seconds before a bar appears: most runs end sooner and show none."""


@contextmanager
def progress() -> Iterator[Callable[[int, int], None] | None]:
    """Gives a callable (done, all) to report progress to, or None when nobody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar.report
    finally:
        bar.stop()


class _Bar:
    def __init__(self) -> None:
        self._start = time.monotonic()
        self._update: Callable[[int, int], None] | None = None
        self.stop: Callable[[], None] = lambda: None

    def report(self, done: int, total: int) -> None:
        if self._update is None:
            if time.monotonic() - self._start < _PATIENCE:
                return
            self._open(total)
        if self._update is not None:
            self._update(done, total)

    def _open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task("checking", total=total)
        bar.start()
        self._update = lambda done, all_files: bar.update(task, completed=done, total=all_files)
        self.stop = bar.stop
