"""Work handed to the analysing process: what waits, in which order, and the process's own life.

One job runs at a time. What a person waits for goes first, then checks of what changed, then what is only prepared.
A job's arguments are made when it starts, so that it sees the latest text however long it waited, and a job with the
key of one that still waits joins it. A job about a text that changed is interrupted, and so is one that only prepares
when there is something else to do. A process that does not answer is killed: a new one starts, and the rest of the
queue goes on.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from .link import Ended, Link
from .worker import INTERRUPTED

log = logging.getLogger(__name__)

WAITED_FOR, CHANGED, PREPARED = range(3)
"""Priorities, first to last."""

PATIENCE = 20.0
"""Seconds after which any job is given up."""
INTERRUPT_PATIENCE = 1.0
"""Seconds that an interrupted job may take to end."""
MEMORY_LIMIT = 250.0
"""MiB above which the process is replaced when the job in hand is done."""


class Fault(Exception):
    """The analysis failed on this job; the message is one line."""


class Interrupted(Fault):
    """The job was interrupted for another; nothing is wrong with it."""


class Leaving(Fault):
    """The server ends; nobody waits for an answer any more."""


@dataclass
class Job:
    method: str
    arguments: Callable[[], tuple[Any, ...] | None]
    """Called when the job starts; None means that there is nothing left to do."""
    key: Hashable
    about: str
    """The URI of the program whose text the job reads; empty if it reads none."""
    priority: int
    future: asyncio.Future[Any]
    patience: float
    constant: bool = False
    """Whether its arguments are the same whenever it starts, so that it may be joined while it runs."""
    waiters: list[int] = field(default_factory=list)
    """The priorities of those who wait for it; the most pressing is its own."""
    interrupted: asyncio.Event = field(default_factory=asyncio.Event)
    started: float = 0.0


class Desk:
    def __init__(self, analysis: str) -> None:
        self.analysis = analysis
        self.running: Job | None = None
        self.memory = 0.0
        self.starts = 0
        self._heap: list[tuple[int, int, Job]] = []
        self._waiting: dict[Hashable, Job] = {}
        self._order = itertools.count()
        self._work = asyncio.Event()
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None
        self.stopped = False

    @property
    def queued(self) -> int:
        """How many jobs wait; one that somebody came to wait for stands in the heap a second time."""
        return len({id(job) for _, _, job in self._heap if job is not self.running and not job.future.done()})

    def start(self) -> None:
        """Begin to work; must be called in the event loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """End the process and drop what waits, whether or not the event loop still runs."""
        self.stopped = True
        self._kill()
        self._heap.clear()
        self._waiting.clear()

    def restart(self) -> None:
        """Replace the process; the job it was at fails."""
        self._kill()

    async def ask(
        self,
        method: str,
        arguments: Callable[[], tuple[Any, ...] | None],
        *,
        priority: int = WAITED_FOR,
        key: Hashable = None,
        about: str = "",
        patience: float = PATIENCE,
        constant: bool = False,
    ) -> Any:
        """What `timed` says, without the time."""
        value, _ = await self.timed(
            method, arguments, priority=priority, key=key, about=about, patience=patience, constant=constant
        )
        return value

    async def timed(
        self,
        method: str,
        arguments: Callable[[], tuple[Any, ...] | None],
        *,
        priority: int = WAITED_FOR,
        key: Hashable = None,
        about: str = "",
        patience: float = PATIENCE,
        constant: bool = False,
    ) -> tuple[Any, float]:
        """The result of a method of the analysis, and the seconds it took.

        The result is None if there was nothing left to do when its iteration came. Raises `Fault` when the analysis
        failed or took more than `patience` seconds. Cancelling the caller takes the job from the queue, unless somebody
        else waits for it too.
        """
        job = self._same(key)
        if job is None:
            future = asyncio.get_running_loop().create_future()
            job = Job(method, arguments, key, about, priority, future, patience, constant)
            if key is not None:
                self._waiting[key] = job
            self._queue(job)
        elif priority < job.priority:  # somebody waits for what was only to be prepared
            job.priority = priority
            if job is not self.running:
                self._queue(job)
        job.waiters.append(priority)
        try:
            result: tuple[Any, float] = await asyncio.shield(job.future)
            return result
        finally:
            job.waiters.remove(priority)
            if not job.future.done():
                self._left(job)

    def _left(self, job: Job) -> None:
        """One who waited for a job has gone: it is given up, or is no more pressing than to those who still wait."""
        if job.waiters:
            job.priority = min(job.waiters)
            if job is self.running and job.priority == PREPARED and self.queued:
                job.interrupted.set()
        elif job is self.running:
            job.interrupted.set()
        else:
            job.future.cancel()
            self._waiting.pop(job.key, None)

    def _same(self, key: Hashable) -> Job | None:
        """The job with this key that may be joined."""
        running = self.running
        joins = running is not None and running.key == key and running.constant and not running.interrupted.is_set()
        return running if key is not None and joins else self._waiting.get(key)

    def _queue(self, job: Job) -> None:
        heapq.heappush(self._heap, (job.priority, next(self._order), job))
        self._work.set()
        if self.running is not None and self.running.priority == PREPARED != job.priority:
            self.running.interrupted.set()

    def changed(self, about: str) -> None:
        """A program has a new text: what is being worked out of the old one is of no use."""
        if self.running is not None and self.running.about == about:
            self.running.interrupted.set()

    async def _run(self) -> None:
        self._connected()  # so that the process is there when the first text comes
        while True:
            while not self._heap:
                self._work.clear()
                await self._work.wait()
            _, _, job = heapq.heappop(self._heap)
            if job.key is not None and self._waiting.get(job.key) is job:
                del self._waiting[job.key]
            if not job.future.done():
                await self._do(job)

    async def _do(self, job: Job) -> None:
        try:
            arguments = job.arguments()
            if arguments is None:
                self._settle(job, (None, 0.0))
                return
            self.running, job.started = job, time.monotonic()
            try:
                reply = await self._within_patience(job, arguments)
            except Ended:  # once may be chance (somebody killed it); twice is this job
                self._kill()
                reply = await self._within_patience(job, arguments)
            ok, value, seconds, self.memory = reply
            if ok:
                self._settle(job, (value, seconds))
            else:
                self._settle(job, Interrupted(value) if value == INTERRUPTED else Fault(value))
            if self.memory > MEMORY_LIMIT:
                log.info("the analysing process holds %.0f MiB and is replaced", self.memory)
                self._kill()
        except Ended:
            self._kill()
            self._settle(job, Fault(f"{job.method}: the analysing process ended"))
        except Fault as fault:
            self._settle(job, fault)
        except OSError as error:
            self._settle(job, Fault(f"{job.method}: the analysing process could not be started ({error})"))
        finally:
            self.running = None

    async def _within_patience(self, job: Job, arguments: tuple[Any, ...]) -> tuple[bool, Any, float, float]:
        link = self._connected()
        reply = link.ask(job.method, arguments)
        interrupted = asyncio.ensure_future(job.interrupted.wait())
        try:
            await asyncio.wait({reply, interrupted}, timeout=job.patience, return_when=asyncio.FIRST_COMPLETED)
            if not reply.done():
                link.interrupt()
                await asyncio.wait({reply}, timeout=INTERRUPT_PATIENCE)
            if not reply.done():
                self._kill()
                if job.interrupted.is_set():
                    raise Interrupted(INTERRUPTED)
            if not job.interrupted.is_set() and (not reply.done() or reply.result()[1] == INTERRUPTED):
                raise Fault(f"{job.method}: given up after {time.monotonic() - job.started:.0f} s")
            done: tuple[bool, Any, float, float] = reply.result()
            return done
        finally:
            interrupted.cancel()

    def _connected(self) -> Link:
        """The running process, or a new one."""
        if self.stopped:
            raise Leaving("the server is leaving")
        if self._link is None or not self._link.alive:
            self._kill()
            self._link = Link(self.analysis)
            self.starts += 1
        return self._link

    def _kill(self) -> None:
        if self._link is not None:
            self._link.kill()
            self._link = None

    def _settle(self, job: Job, value: Any) -> None:
        if job.future.done():
            return
        if isinstance(value, Fault):
            job.future.set_exception(value)
            job.future.exception()  # nobody may be left to look at it
        else:
            job.future.set_result(value)
