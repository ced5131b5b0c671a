"""The process that analyses with the analysis `MODULE:NAME` (its argument), spoken to over its pipes.

A message is its length in four bytes and a pickle (both ends are ours): `(number, method, arguments)` in, `(ok, value,
seconds it took, memory in MiB)` out, one after the other. Whatever the analysis prints goes to standard error, so that
it cannot spoil the pipe. The one message that is read while another is worked at is a number alone: it interrupts that
request as Ctrl-C would, and the reply then says so. When the server goes away, however that happens, its end of the
pipe closes and the process ends at once, even in the middle of work.
"""

from __future__ import annotations

import _thread
import gc
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import IO, Any

from .analysis import Analysis, load

AT_EASE, ASLEEP = 0.01, 1.0
"""Seconds without a request after which young, and all, garbage is collected."""
LONG = ("fixes", "hovers")
"""Requests that run many analyses: garbage is collected while they are at it."""
GROWTH, CROWD = 10.0, 150_000
"""MiB more, and new objects (where the system does not tell of memory), at which garbage is collected in any case."""
MIDDLE, ROUNDS = 5, 25
"""Collections of young objects to one of those that outlived one, and to one of all."""
INTERRUPTED = "interrupted"
"""The reply to a request that was interrupted."""
HEADER = struct.Struct(">I")


def pack(value: Any) -> bytes:
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def read(stream: IO[bytes]) -> Any:
    """The next message; raises `EOFError` at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        raise EOFError
    return pickle.loads(stream.read(HEADER.unpack(header)[0]))


class Work:
    """One request at a time, which another thread may interrupt, even before it has begun."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._lock = threading.Lock()
        self._begun = 0
        """The number of the last request that was begun."""
        self._interruptible = False
        self._unwanted = 0
        """The number of a request that was interrupted before it was begun."""

    def interrupt(self, number: int) -> None:
        """Raise `KeyboardInterrupt` in the main thread if it is in the analysis for this request."""
        with self._lock:
            if number > self._begun:
                self._unwanted = number
            elif number == self._begun and self._interruptible:
                self._interruptible = False
                _thread.interrupt_main()

    def answer(self, number: int, method: str, arguments: tuple[Any, ...]) -> tuple[bool, Any, float, float]:
        """Run one request; a fault is told as one line: what was raised, and where."""
        started = time.perf_counter()
        try:
            with self._lock:
                self._begun = number
                unwanted = self._unwanted == number
                self._interruptible = not unwanted
            if unwanted:  # asked of what was true then: an interrupt that comes now is on its way by itself
                return False, INTERRUPTED, 0.0, memory()
            try:
                ok, value = True, getattr(self.analysis, method)(*arguments)
            except Exception as error:  # whatever an analysis raises must not end the process
                ok, value = False, one_line(method, error)
            with self._lock:
                self._interruptible = False
            time.sleep(0)  # an interrupt that came in the last moment is raised here, and not outside
        except KeyboardInterrupt:
            self._interruptible = False
            ok, value = False, INTERRUPTED
        return ok, value, time.perf_counter() - started, memory()


def one_line(method: str, error: Exception) -> str:
    if type(error) is LookupError:  # nothing is wrong: what was asked for is not there, and its words are for people
        return str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"{method}: {told} ({Path(frame.filename).name}:{frame.lineno})"


def memory() -> float:
    """Resident memory in MiB; 0 where the system does not say."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0.0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def listen(stream: IO[bytes], requests: queue.SimpleQueue[Any], work: Work) -> None:
    """Read messages until the server is gone, and end with it."""
    while True:
        try:
            message = read(stream)
        except EOFError:
            os._exit(0)
        if isinstance(message, int):
            work.interrupt(message)
        else:
            requests.put(message)


def main() -> None:
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    work = Work(load(sys.argv[1]))
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, requests, work), daemon=True).start()
    rubbish = Rubbish()
    while True:
        try:
            number, method, arguments = requests.get(timeout=rubbish.patience)
        except queue.Empty:
            rubbish.collect()
            continue
        if method in LONG:
            gc.enable()
        reply = work.answer(number, method, arguments)
        gc.disable()
        replies.write(pack(reply))
        replies.flush()
        rubbish.grown(reply[3])


class Rubbish:
    """Garbage collection between requests, when nobody waits; within an analysis it took a third of the time."""

    def __init__(self) -> None:
        gc.disable()
        gc.freeze()  # what was imported stays
        self.patience: float | None = None
        """Seconds without a request after which there is something to collect; None if there is not."""
        self.rounds = 0
        self.least = memory()
        """MiB that the process held after all garbage was collected."""

    def grown(self, memory: float) -> None:
        """A request was answered, and this is what the process holds (MiB)."""
        self.patience = AT_EASE
        if memory > self.least + GROWTH:
            self.all()
        elif gc.get_count()[0] > CROWD:
            self.collect()

    def collect(self) -> None:
        """Young objects; all of them now and then, and after a longer silence."""
        self.rounds += 1
        if self.patience == ASLEEP or self.rounds % ROUNDS == 0:
            self.all()
            self.patience = None
        else:
            gc.collect(1 if self.rounds % MIDDLE == 0 else 0)
            self.patience = ASLEEP

    def all(self) -> None:
        gc.collect()
        self.least = memory()
