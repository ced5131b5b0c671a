"""What the server knows between two messages: the texts, the settings, and the outcome of each program's last check.

A program is checked when it changes: at once where the last check was quick or the last change is long ago, after a
pause where changes come faster than they can be checked. Only the outcome of the text as it is now is ever kept, so
nothing older can be shown: whoever needs an outcome waits for the current one (`current`). Features learn of a new
outcome through `on_outcome`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from pygls.uris import from_fs_path, to_fs_path

from .analysis import NO_HOVERS, Finding, Fix, Hovers, Inlay, Outcome, Report, Span, Unit
from .client import Client
from .desk import CHANGED, PREPARED, WAITED_FOR, Desk, Fault, Interrupted, Leaving
from .documents import Document, Documents, Program, Text
from .settings import Settings

log = logging.getLogger(__name__)

QUICK = 0.05
"""Seconds: after a check that took less, the next one never waits."""
LONGEST_PAUSE = 0.4
"""Seconds of silence that a slow check waits for at most."""
REST = 0.2
"""Seconds without a change after which fixes are prepared."""
PATIENCE = 5.0
"""Seconds that a request waits for the outcome of the text it asks about."""


@dataclass
class Checked:
    """The outcome of a program's check, and what was prepared from it."""

    revision: int
    findings: tuple[Finding, ...] = ()
    inlays: tuple[Inlay, ...] = ()
    report: Report = field(default_factory=Report)
    seconds: float = 0.0
    fixes: dict[int, tuple[Fix, ...]] = field(default_factory=dict)
    """By the finding's place in `findings`, as far as they are known."""
    hovers: Hovers | None = None
    """Once they are known."""


class Session:
    def __init__(self, analysis: str) -> None:
        self.desk = Desk(analysis)
        self.documents = Documents("utf-16")
        self.client = Client()
        self.settings = Settings()
        self.folder_settings: dict[str, Settings] = {}
        self.folders: list[str] = []
        """The URIs of the workspace's folders."""
        self.checked: dict[str, Checked] = {}
        self.on_outcome: list[Callable[[Program, Checked | None, Checked], None]] = []
        """Called with the program, its outcome before and its outcome now."""
        self.hovered: Hovers | None = None
        """Those that were last asked for one: they alone are unpacked."""
        self.result_ids: dict[str, tuple[str, object]] = {}
        """By document: the id of the last pulled result, and that result."""
        self.checks = 0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._changed_at: dict[str, float] = {}
        self._settled: dict[str, int] = {}
        """The revision that was checked last, well or not."""
        self._waiters: dict[str, list[asyncio.Future[None]]] = {}
        self._complained: set[str] = set()
        self._preparing: set[asyncio.Task[None]] = set()

    # -- what belongs to a program

    def folder(self, program: Program) -> str | None:
        """The URI of the innermost workspace folder a program lies in."""
        uri = unquote(program.uri)
        inside = [f for f in self.folders if uri.startswith(unquote(f).rstrip("/") + "/")]
        return max(inside, key=len, default=None)

    def settings_of(self, program: Program) -> Settings:
        folder = self.folder(program)
        return self.folder_settings.get(folder, self.settings) if folder else self.settings

    def unit(self, program: Program) -> Unit:
        """What the analysis is given: the program's text, and the unsaved text of all other open files."""
        folder = self.folder(program)
        return Unit(
            path=program.path,
            text=self.documents.text(program),
            folder=to_fs_path(folder) if folder else None,
            client=dict(self.settings_of(program).analysis),
            open_texts={
                other.path: other.document.text
                for other in self.documents.programs.values()
                if other is not program and other.document is not None
            },
        )

    # -- checks

    def changed(self, program: Program) -> None:
        """A program has a new text: check it, and what may import it."""
        self._schedule(program)
        for dependent in self._dependents(program):
            dependent.revision += 1
            self._schedule(dependent)

    def recheck(self, programs: Iterable[Program] | None = None) -> None:
        """Check programs (all) again although their text is the same."""
        for program in list(self.documents.programs.values() if programs is None else programs):
            program.revision += 1
            self._schedule(program)

    def closed(self, program: Program) -> None:
        self.checked.pop(program.uri, None)
        self._settled.pop(program.uri, None)
        self._changed_at.pop(program.uri, None)
        if timer := self._timers.pop(program.uri, None):
            timer.cancel()
        if task := self._tasks.pop(program.uri, None):
            task.cancel()
        self._wake(program)
        for dependent in self._dependents(program):
            dependent.revision += 1
            self._schedule(dependent)

    def _dependents(self, program: Program) -> list[Program]:
        """Open programs that may import this one: those that speak of its name."""
        if program.document is None:
            return []
        stem = Path(program.path).stem
        name = Path(program.path).parent.name if stem == "__init__" else stem
        if not name.isidentifier():
            return []
        says = re.compile(rf"\bimport\b.*\b{name}\b|\bfrom\b.*\b{name}\b")
        return [
            other
            for other in self.documents.programs.values()
            if other is not program
            and any(name in d.text and says.search(d.text) for d in self.documents.documents(other))
        ]

    def _schedule(self, program: Program) -> None:
        before = self.checked.get(program.uri)
        self.desk.changed(program.uri)
        if timer := self._timers.pop(program.uri, None):
            timer.cancel()
        loop = asyncio.get_running_loop()
        pause = min(before.seconds, LONGEST_PAUSE) if before is not None and before.seconds > QUICK else 0.0
        since, self._changed_at[program.uri] = loop.time() - self._changed_at.get(program.uri, 0.0), loop.time()
        if since >= pause:
            self._begin(program)
        else:
            self._timers[program.uri] = loop.call_later(pause, self._begin, program)

    def _begin(self, program: Program) -> None:
        self._timers.pop(program.uri, None)
        if program.closed or program.uri in self._tasks:
            return  # the check under way sees that its text is old, and begins again
        task = asyncio.get_running_loop().create_task(self._check(program))
        self._tasks[program.uri] = task
        task.add_done_callback(lambda done: self._ended(program, done))

    def _ended(self, program: Program, task: asyncio.Task[None]) -> None:
        if self._tasks.get(program.uri) is task:
            del self._tasks[program.uri]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s: the outcome of a check was lost (%s)", program.path, error)
            self._settled[program.uri] = program.revision
        if not program.closed and self._settled.get(program.uri) != program.revision:
            self._begin(program)  # it changed between the last look at it and now
        self._wake(program)

    async def _check(self, program: Program) -> None:
        while not program.closed:
            revision = program.revision

            def arguments() -> tuple[Unit] | None:
                nonlocal revision
                revision = program.revision
                return None if program.closed else (self.unit(program),)

            try:
                if self.settings_of(program).enable:
                    outcome, seconds = await self.desk.timed(
                        "check", arguments, priority=CHANGED, key=("check", program.uri), about=program.uri
                    )
                else:
                    outcome, seconds = Outcome(Report()), 0.0
            except Interrupted:
                continue
            except Leaving:
                self._settled[program.uri] = program.revision
                return
            except Fault as fault:
                if program.revision == revision:
                    log.error("%s: %s", program.path, fault)
                    self._settled[program.uri] = revision
                    return
                continue
            if program.closed or outcome is None:
                return
            if program.revision == revision:
                self._keep(program, revision, outcome, seconds)
                return

    def _keep(self, program: Program, revision: int, outcome: Outcome, seconds: float) -> None:
        self.checks += 1
        for complaint in outcome.complaints:
            if complaint not in self._complained:
                self._complained.add(complaint)
                log.warning("%s", complaint)
        before = self.checked.get(program.uri)
        now = Checked(revision, tuple(outcome.report.findings), outcome.inlays, outcome.report, seconds)
        now.fixes = {index: finding.fixes for index, finding in enumerate(now.findings) if finding.fixes}
        if before is not None and before.revision == revision:  # the same text, judged in another way
            now.hovers = before.hovers
        self.checked[program.uri] = now
        self._settled[program.uri] = revision
        self._wake(program)
        for told in self.on_outcome:
            told(program, before, now)
        self._prepare(program, now)

    def replace(self, program: Program, outcome: Outcome) -> None:
        """Take the outcome of a check that was made in another way (against a trace) for the current text."""
        self._keep(program, program.revision, outcome, 0.0)

    def _wake(self, program: Program) -> None:
        for waiter in self._waiters.pop(program.uri, []):
            if not waiter.done():
                waiter.set_result(None)

    async def current(self, program: Program, patience: float = PATIENCE) -> Checked | None:
        """The outcome for the program's text as it is; None if its analysis failed, takes too long, or it closed."""
        deadline = asyncio.get_running_loop().time() + patience
        while not program.closed:
            checked = self.checked.get(program.uri)
            if checked is not None and checked.revision == program.revision:
                return checked
            if self._settled.get(program.uri) == program.revision:
                return None
            if program.uri in self._timers:  # somebody waits: no pause any more
                self._timers[program.uri].cancel()
                self._begin(program)
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                return None
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.setdefault(program.uri, []).append(waiter)
            await asyncio.wait({waiter}, timeout=left)
        return None

    # -- hovers and fixes

    def _prepare(self, program: Program, checked: Checked) -> None:
        """Have hovers and fixes ready before they are asked for, once nothing changes for a moment."""

        async def rested() -> bool:
            await asyncio.sleep(REST)
            return not program.closed and program.revision == checked.revision and not self.desk.stopped

        async def prepare() -> None:
            while checked.hovers is None:
                if not await rested():
                    return
                await self.hovers(program, checked, PREPARED)
            for index in range(len(checked.findings)):
                while index not in checked.fixes:
                    if not await rested():
                        return
                    await self.fixes(program, checked, index, PREPARED)

        if self.settings_of(program).enable:
            task = asyncio.get_running_loop().create_task(prepare())
            self._preparing.add(task)
            task.add_done_callback(self._preparing.discard)

    async def hovers(self, program: Program, checked: Checked, priority: int = WAITED_FOR) -> Hovers | None:
        """The hovers of a program's text; None if the text went on or the analysis failed."""

        def arguments() -> tuple[Unit] | None:
            return (self.unit(program),) if program.revision == checked.revision else None

        if checked.hovers is None:
            try:
                found: Hovers | None = await self.desk.ask(
                    "hovers",
                    arguments,
                    priority=priority,
                    key=("hovers", program.uri, checked.revision),
                    about=program.uri,
                    constant=True,
                )
            except (Interrupted, Leaving):
                return None
            except Fault as fault:
                log.error("%s: %s", program.path, fault)
                found = NO_HOVERS
            checked.hovers = checked.hovers or found
        return checked.hovers

    async def fixes(
        self, program: Program, checked: Checked, index: int, priority: int = WAITED_FOR
    ) -> tuple[Fix, ...]:
        """The proved fixes of a finding; none if the text went on or the analysis failed."""
        if index in checked.fixes:
            return checked.fixes[index]

        def arguments() -> tuple[Unit, Finding] | None:
            if program.revision != checked.revision or index in checked.fixes:
                return None
            return self.unit(program), checked.findings[index]

        try:
            found = await self.desk.ask(
                "fixes",
                arguments,
                priority=priority,
                key=("fixes", program.uri, checked.revision, index),
                about=program.uri,
                constant=True,
            )
        except (Interrupted, Leaving):
            return ()
        except Fault as fault:
            log.error("%s: %s", program.path, fault)
            found = ()
        if found is not None:
            checked.fixes[index] = tuple(found)
        return checked.fixes.get(index, ())

    async def silencing(self, program: Program, checked: Checked, index: int) -> Fix | None:
        """The comment that silences a finding; None if the text went on or no comment can stand there."""

        def arguments() -> tuple[Unit, Finding] | None:
            return (self.unit(program), checked.findings[index]) if program.revision == checked.revision else None

        try:
            found: Fix | None = await self.desk.ask("silencing", arguments, priority=WAITED_FOR, about=program.uri)
        except (Interrupted, Leaving):
            return None
        except Fault as fault:
            log.error("%s: %s", program.path, fault)
            return None
        return found

    # -- places

    def text_of(self, path: str, cell: int | None = None) -> tuple[str, Text | None]:
        """The URI and the text of a place the analysis speaks of, open or on disk (None if it cannot be read)."""
        for program in self.documents.programs.values():
            if program.path == path:
                document = self.documents.cell_document(program, cell)
                return (document.uri, document.content) if document else (program.uri, None)
        uri = from_fs_path(path) or path
        if cell is not None:
            return uri, None
        try:
            text = Path(path).read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return uri, None
        return uri, Text(text, self.documents.units)

    def shown_in(self, program: Program, document: Document, finding: Finding) -> Span | None:
        """Where a finding shows in a document of the program it was found in; None if it does not.

        That is its own place, or, where that lies in a file that the program imports, the first step of its story here.
        """
        span: Span | None = finding.span
        if finding.span.path != program.path:
            span = next((step.span for step in finding.witness if step.span.path == program.path), None)
        return span if span is not None and self.in_document(program, document, span) else None

    def in_document(self, program: Program, document: Document, span: Span) -> bool:
        """Whether a span lies in this document of the program."""
        return span.path == program.path and self.documents.cell_document(program, span.cell) is document
