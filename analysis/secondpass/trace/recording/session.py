"""Everything one process records while its program runs."""

from __future__ import annotations

import builtins
import collections
import contextlib
import importlib
import json
import os
import signal
import sys
import threading
import time
import weakref
from typing import Any, NamedTuple

from .engine import EngineProxy, engine_arguments, gradient_node, guard_function
from .frames import inner_chain, innermost, nodes_read, user_chain, user_frames
from .graph import Call, kind_of
from .growth import Growth, taken
from .places import Places
from .report import FORMAT, report
from .story import Story
from .threads import MAIN, Threads
from .twins import Twins

KEEP, KEEP_LEAST, KEEP_NODES = 8, 3, 1500
"""Calls that freed their graph and whose roots are held, so that who freed a node is known and not inferred: up to 8,
fewer where their graphs are large, for new nodes are made faster in memory that was just given back."""
RECORD_LIMIT = 1000
"""Backward calls told one by one; more of them are only counted."""
STORY_LIMIT = 20
"""What a marker says: a statement begins, a function is entered or left, a loop begins, an iteration begins, a loop's
header is evaluated again, a generator or coroutine goes on, a generator hands a value out."""


class Stop(NamedTuple):
    """Why the run ended before the program did."""

    reason: str
    note: str


class StepSeen(NamedTuple):
    """An optimizer's step: where its thread stood, the next node's number then, and what stepped."""

    position: int
    thread: int
    seq: int
    optimizer: Any
    name: str


class Session:
    """Everything one process records."""

    def __init__(self, out: str, iterations: int, seconds: float, progress: int | None, label: list[str]) -> None:
        self.out = out
        self.iterations = iterations
        self.progress = progress
        self.label = label
        self.pid = os.getpid()
        self.started = time.time()
        self.seconds = seconds
        self.threads = Threads()
        self.places = Places(self.threads.logs)
        self.main = threading.get_ident()
        self.calls: list[Call] = []
        self.call_count = 0
        self.kept: collections.deque[Call] = collections.deque()
        self.last_unkept: dict[int, int] = {}
        """Per thread, the number of the newest node when the last call whose roots are no longer held was made."""
        self.running: dict[int, list[Call]] = {}
        self.steps: collections.deque[StepSeen] = collections.deque(maxlen=400)
        self.step_count = 0
        self.samples: dict[tuple[str, int], int] = {}
        self.growth = Growth(self.threads)
        self.stories: list[dict[str, Any]] = []
        self.told: list[BaseException] = []
        self.other_errors: list[dict[str, Any]] = []
        self.notes: list[str] = []
        self.torch: Any = None
        self.written = threading.Lock()
        self.exit_code: int | None = None
        self.forked = 0
        self.twins = Twins()
        self.alive = True
        """False in a forked child, which records nothing."""

    def switch_on(self) -> None:
        builtins._sp_a = self.threads.logs[MAIN].events.append  # type: ignore[attr-defined]
        builtins._sp_s = int  # type: ignore[attr-defined]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._count_fork, after_in_child=self._forked)

    def _count_fork(self) -> None:
        self.forked += 1

    def _forked(self) -> None:
        """A forked worker (DataLoader, multiprocessing) records nothing and writes nothing."""
        self.alive = False
        builtins._sp_a = abs  # type: ignore[attr-defined]
        builtins._sp_s = int  # type: ignore[attr-defined]
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def failed_itself(self, fault: Exception) -> None:
        """A fault of the recorder is told in its report and never reaches the program."""
        told = f"the recorder failed: {type(fault).__name__}: {fault}"
        if told not in self.notes:
            self.notes.append(told)

    def hook_torch(self, torch: Any) -> None:
        """Called once torch has been imported: sees the engine's calls and the optimizers' steps."""
        self.torch = torch
        number = getattr(torch.autograd, "_get_sequence_nr", None)
        if number is None:
            self.notes.append(f"torch {torch.__version__} does not tell node numbers; lines are unknown (needs 2.1)")
        else:
            builtins._sp_s = number  # type: ignore[attr-defined]
        variable = torch.autograd.Variable
        variable._execution_engine = EngineProxy(variable._execution_engine, self)
        graph = importlib.import_module("torch.autograd.graph")
        if hasattr(graph, "_engine_run_backward"):
            guard_function(graph._engine_run_backward, self)
        else:
            guard_function(torch.autograd.backward, self)
            guard_function(torch.autograd.grad, self)
        optim = importlib.import_module("torch.optim.optimizer")
        if hasattr(optim, "register_optimizer_step_post_hook"):
            optim.register_optimizer_step_post_hook(self._step_seen)

    def before(self, frame: Any) -> None:
        """The engine is about to run; `frame` is torch's function that calls it."""
        if not self.alive:
            return
        call = Call()
        log = self.threads.log()
        call.thread, call.position = log.number, log.position()
        call.seq = builtins._sp_s()  # type: ignore[attr-defined]
        roots, call.retain, call.create, inputs, call.accumulate = engine_arguments(frame)
        call.function = "backward" if call.accumulate else "grad"
        call.roots = [node for node in map(gradient_node, roots) if node is not None]
        if inputs:
            call.limited = True
            call.targets = [node for node in map(gradient_node, inputs) if node is not None]
        call.frame = frame
        call.site, call.compiling = innermost(frame)
        stack = self.running.setdefault(log.number, [])
        call.nested = bool(stack) or call.compiling
        stack.append(call)
        if call.nested:
            return
        self.call_count += 1
        call.n = self.call_count
        if len(self.calls) < RECORD_LIMIT:
            self.calls.append(call)
        if call.site is not None:
            key = call.site[:2]
            seen = self.samples[key] = self.samples.get(key, 0) + 1
            if taken(seen):
                call.walked = len(call.executed())
                self.growth.sample(call, call.site, user_frames(frame), seen)

    def after(self, frame: Any, error: BaseException | None) -> None:
        """The engine has returned or raised in torch's function `frame`."""
        stack = self.running.get(self.threads.log().number)
        if not self.alive or not stack or stack[-1].frame is not frame:
            return
        call = stack.pop()
        call.frame = None
        if error is not None:
            if not any(error is told for told in self.told):
                self.told = [*self.told[-3:], error]
                with contextlib.suppress(RecursionError):
                    self.failed(call, error, frame)
            call.roots = call.targets = ()
            return
        if call.retain or call.compiling:
            call.roots = call.targets = ()
        else:
            while len(self.kept) >= KEEP or (len(self.kept) >= KEEP_LEAST and call.seq - self.kept[0].seq > KEEP_NODES):
                oldest = self.kept.popleft()
                self.last_unkept[oldest.thread] = oldest.seq
                oldest.roots = oldest.targets = ()
            self.kept.append(call)
        if call.nested:
            return
        if self.progress is not None:
            self._tell_progress(call)
        self.threads.log().trim()
        if self.iterations and self.call_count >= self.iterations:
            self.stop(Stop("turns", f"stopped after {self.iterations} backward calls"))

    _told_at = 0.0

    def _tell_progress(self, call: Call) -> None:
        now = time.monotonic()
        if now - self._told_at > 0.1 or call.n == 1:
            self._told_at = now
            path, number, _ = call.site or ("?", 0, "")
            line = {"backwards": call.n, "path": path, "line": number}
            with contextlib.suppress(OSError):
                os.write(self.progress or 0, (json.dumps(line) + "\n").encode())

    def _step_seen(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        try:
            self.stepped(optimizer)
        except Exception as fault:
            self.failed_itself(fault)

    def stepped(self, optimizer: Any) -> None:
        """An optimizer has changed its parameters."""
        if not self.alive:
            return
        self.step_count += 1
        log = self.threads.log()
        number = builtins._sp_s()  # type: ignore[attr-defined]
        name = type(optimizer).__name__
        self.steps.append(StepSeen(log.position(), log.number, number, weakref.ref(optimizer), name))

    def failed(self, call: Call, error: BaseException, frame: Any) -> None:
        kind = kind_of(error)
        chain = inner_chain(error) + user_chain(frame)
        if kind is None:
            if len(self.other_errors) < STORY_LIMIT and chain and isinstance(error, Exception):
                message = str(error).strip().splitlines()
                row = self.places.link(chain[0], call)
                row["message"] = f"{type(error).__name__}: {message[0] if message else ''}"
                self.other_errors.append(row)
            return
        if len(self.stories) >= STORY_LIMIT:
            return
        self.stories.append(Story(self, call, kind, error, frame, chain).tell())

    def unseen(self, error: BaseException) -> None:
        """The program ends with an exception; one of ours that no backward call raised is told from its traceback."""
        kind = kind_of(error)
        if kind is None or any(error is told for told in self.told):
            return
        chain = inner_chain(error)
        if not chain:
            return
        call = Call()
        call.function = "read"
        call.roots = nodes_read(error)
        call.thread, call.site = MAIN, chain[0]
        call.position, call.seq = self.threads.logs[MAIN].position(), builtins._sp_s()  # type: ignore[attr-defined]
        self.stories.append(Story(self, call, kind, error, None, chain).tell())

    def stop(self, why: Stop) -> None:
        """Ends the process here and now: none of the program's `finally`, `except` or `atexit` runs."""
        self.write(why.reason, why.note, 0)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(0)

    def write(self, reason: str, note: str, exit_code: int | None) -> None:
        """Writes the report, once."""
        if not self.alive or not self.written.acquire(blocking=False):
            return
        try:
            text = json.dumps(report(self, reason, note, exit_code), ensure_ascii=False)
        except Exception as fault:
            self.failed_itself(fault)
            ended = {"reason": reason, "note": note, "exit_code": exit_code}
            raised = self.stories[0] if self.stories else None
            text = json.dumps({"format": FORMAT, "raised": raised, "outcome": ended, "notes": self.notes})
        temporary = f"{self.out}.{self.pid}.tmp"
        with open(temporary, "w", encoding="utf-8") as handle:
            handle.write(text)
        os.replace(temporary, self.out)
