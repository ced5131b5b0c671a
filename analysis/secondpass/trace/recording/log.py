"""The log of one thread, and its replay: from markers back to calls, statements and iterations of loops."""

from __future__ import annotations

import array
import collections
import threading
from collections.abc import Iterable
from typing import NamedTuple

from .markers import ENTRY, LOOP, RET, SEQ_BITS, SEQ_MASK, SITES, TICK, WEIGHT, YIELD

LOG_LIMIT = 4_194_304
"""Events (8 bytes each) held per thread; the older half is forgotten when it is passed."""
CHUNK = 32_768
"""Events between two known states."""


class Frame:
    """A user function being replayed."""

    __slots__ = ("iterations", "scope", "site")

    def __init__(self, scope: int, site: int, iterations: dict[int, int] | None = None) -> None:
        self.scope = scope
        self.site = site
        self.iterations: dict[int, int] = iterations if iterations is not None else {}


class Snapshot(NamedTuple):
    """Where a thread stood: the sites of its user functions, outermost first, and the iterations of the loops
    around."""

    sites: tuple[int, ...]
    loops: tuple[tuple[int, int], ...]


class Replay:
    """The state that a run of events leaves behind."""

    def __init__(self) -> None:
        self.stack: list[Frame] = []
        self.asleep: dict[int, Frame] = {}

    def copy(self) -> Replay:
        other = Replay()
        other.stack = [Frame(f.scope, f.site, dict(f.iterations)) for f in self.stack]
        other.asleep = dict(self.asleep)
        return other

    def apply(self, number: int) -> None:
        site = SITES[number]
        kind, scope = site[0], site[1]
        stack = self.stack
        if kind == ENTRY:
            stack.append(Frame(scope, number))
            return
        if not stack or stack[-1].scope != scope:
            index = len(stack) - 1
            while index >= 0 and stack[index].scope != scope:
                index -= 1
            if index >= 0:
                for frame in stack[index + 1 :]:
                    self.asleep[frame.scope] = frame
                del stack[index + 1 :]
            elif kind in (RET, YIELD):
                return
            else:
                stack.append(self.asleep.pop(scope, Frame(scope, number)))
        if kind == RET:
            stack.pop()
        elif kind == YIELD:
            self.asleep[scope] = stack.pop()
        else:
            top = stack[-1]
            top.site = number
            if kind == LOOP:
                top.iterations[site.loop] = 0
            elif kind == TICK:
                top.iterations[site.loop] = top.iterations.get(site.loop, 0) + 1

    def snapshot(self) -> Snapshot:
        loops: list[tuple[int, int]] = []
        for frame in self.stack:
            site = SITES[frame.site]
            around = site.loops if site.kind != TICK else (*site.loops, site.loop)
            loops.extend((loop, frame.iterations.get(loop, 1)) for loop in around if loop >= 0)
        return Snapshot(tuple(frame.site for frame in self.stack), tuple(dict.fromkeys(loops)))


class Log:
    """The markers one thread has passed, oldest first; `base` counts those that are forgotten."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.events = array.array("q")
        self.base = 0
        self.counts: dict[int, int] = {}
        """How often each site was passed among the forgotten events."""
        self.lock = threading.RLock()
        self._checkpoints = [Replay()]
        """The state before each CHUNK of events."""

    def position(self) -> int:
        return self.base + len(self.events)

    def trim(self) -> None:
        """Forgets the older half once there is too much; safe while the owner goes on appending."""
        if len(self.events) < LOG_LIMIT or not self.lock.acquire(blocking=False):
            return
        try:
            half = LOG_LIMIT // 2 // CHUNK
            self._checkpoint(half)
            old = self.events[: half * CHUNK]
            for number, times in collections.Counter(event >> SEQ_BITS for event in old).items():
                self.counts[number] = self.counts.get(number, 0) + times
            self.base += len(old)
            del self.events[: len(old)]
            del self._checkpoints[:half]
        finally:
            self.lock.release()

    def total_counts(self) -> dict[int, int]:
        """How often each site was passed."""
        with self.lock:
            total = dict(self.counts)
            for number, times in collections.Counter(event >> SEQ_BITS for event in self.events[:]).items():
                total[number] = total.get(number, 0) + times
        return total

    def index_of(self, seq: int) -> int | None:
        """The position of the event in force when the node numbered `seq` was made; None if it is forgotten."""
        with self.lock:
            events = self.events
            low, high = 0, len(events)
            while low < high:
                middle = (low + high) // 2
                if events[middle] & SEQ_MASK <= seq:
                    low = middle + 1
                else:
                    high = middle
            return self.base + low - 1 if low else None

    def snapshots(self, positions: Iterable[int]) -> dict[int, Snapshot]:
        """What was going on after each of these events (absolute positions)."""
        out: dict[int, Snapshot] = {}
        with self.lock:
            replay, done, chunk = Replay(), 0, -1
            for target in sorted({p for p in positions if p >= self.base}):
                stop = min(target + 1 - self.base, len(self.events))
                if (stop - 1) // CHUNK != chunk:
                    chunk = max(stop - 1, 0) // CHUNK
                    replay, done = self._checkpoint(chunk).copy(), chunk * CHUNK
                for event in self.events[done:stop]:
                    replay.apply(event >> SEQ_BITS)
                done = max(done, stop)
                out[target] = replay.snapshot()
        return out

    def _checkpoint(self, index: int) -> Replay:
        """The state before the chunk of this index: from the last one known, passing over mere statements."""
        known = self._checkpoints
        while len(known) <= index:
            start = (len(known) - 1) * CHUNK
            chunk = self.events[start : start + CHUNK]
            replay = known[-1].copy()
            for number in (
                event >> SEQ_BITS
                for event, following in zip(chunk, chunk[1:])
                if WEIGHT[event >> SEQ_BITS] or WEIGHT[following >> SEQ_BITS] > 1
            ):
                replay.apply(number)
            replay.apply(chunk[-1] >> SEQ_BITS)
            known.append(replay)
        return known[index]


def carrying_loop(here: Snapshot | None, there: Snapshot | None) -> int | None:
    """The outermost loop whose iteration differs between the two: the one across whose border the graph was carried."""
    if here is None or there is None:
        return None
    before = dict(there.loops)
    for loop, iteration in here.loops:
        if loop in before and before[loop] != iteration:
            return loop
    return None


def iteration_in(snapshot: Snapshot | None, loop: int | None) -> int:
    """The iteration of this loop (1 outside it), or of the innermost one if none is meant."""
    if snapshot is None or not snapshot.loops:
        return 1
    iteration = snapshot.loops[-1][1] if loop is None else dict(snapshot.loops).get(loop, 1)
    return max(iteration, 1)
