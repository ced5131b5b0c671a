"""Starts the recorder on a program in a process of its own, holds it to its bounds, and reads what it recorded.

The program's standard input is empty. It runs in a session of its own, and when it ends, runs out of time or memory, or
is cancelled, every process that it started ends with it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from . import interpreter
from .processes import MARK, Family, available_memory
from .record import Outcome, Output, Rank, Reason, Trace, TraceError, Versions, load

RECORDER = Path(__file__).with_name("recorder.py")
ITERATIONS = 50
TIMEOUT = 60.0
GRACE = 3.0
"""Seconds a process has to write its report once it is asked to end."""
HEAD, TAIL = 65_536, 65_536
"""Bytes of the program's output that are kept of its beginning and its end."""

Told = Callable[[str], None]
Heard = Callable[[str, bytes], None]


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a run ends before its program does."""

    iterations: int = ITERATIONS
    """Backward calls; 0 for no bound."""
    timeout: float = TIMEOUT
    """Seconds, the import of torch included; 0 for no bound."""
    memory: int | None = None
    """Bytes that the program and its children use together; None for four fifths of what is free at the start."""


def trace_command(
    arguments: Sequence[str],
    *,
    bounds: Bounds | None = None,
    python: str | None = None,
    folder: Path | None = None,
    home: Path | None = None,
    cells: Sequence[int] | None = None,
    call: str | None = None,
    heard: Heard | None = None,
    told: Told | None = None,
    cancelled: threading.Event | None = None,
) -> Trace:
    """Run a program under the recorder and return what it did.

    `arguments` are the program and its own arguments: `train.py --lr 0.1`, `-m package.module`, `notebook.ipynb`,
    `torchrun --nproc-per-node 2 train.py`, each with or without `python` before it. `folder` is where it runs (default:
    the current one), `home` where an interpreter is looked for (default: `folder`), `cells` the order of a notebook's
    cells, `call` a function of the script to call without arguments. `heard` receives the program's output as it comes
    ("stdout" or "stderr", bytes), `told` a line about the progress; both are called from other threads. Setting
    `cancelled` ends the run within seconds.

    Raises TraceError with one line if the program cannot be started at all.
    """
    bounds = bounds or Bounds()
    folder = (folder or Path.cwd()).resolve()
    python, program = _split_interpreter(python, list(arguments))
    if not program:
        raise TraceError("nothing to run: name a script, a notebook, -m MODULE or torchrun ...")
    chosen = interpreter.choose(python, home or folder)
    if told:
        told(f"running with {chosen.path} ({chosen.why})")
    with tempfile.TemporaryDirectory(prefix="secondpass-") as place:
        out = Path(place, "trace.json")
        command = [chosen.path, str(RECORDER), "--out", str(out)]
        command += ["--turns", str(bounds.iterations), "--seconds", str(bounds.timeout)]
        command += ["--cells", ",".join(map(str, cells))] if cells else []
        command += ["--call", call] if call else []
        run = _Run(command, program, folder, bounds, heard, told, cancelled)
        run.go()
        return _collected(out, run, program, folder, chosen.path)


def _split_interpreter(python: str | None, arguments: list[str]) -> tuple[str | None, list[str]]:
    """`python train.py` names its interpreter itself; `python -m torch.distributed.run` is torchrun."""
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if arguments and re.fullmatch(r"python(\d(\.\d+)?)?(\.exe)?", Path(arguments[0]).name):
        python, arguments = python or arguments[0], arguments[1:]
        while arguments[:1] == ["-u"]:
            arguments = arguments[1:]
    if arguments[:2] == ["-m", "torch.distributed.run"]:
        arguments = ["torchrun", *arguments[2:]]
    return python, arguments


def _recorder_arguments(program: list[str]) -> list[str]:
    if Path(program[0]).name in ("torchrun", "torchrun.exe"):
        return ["--torchrun", "--", *program[1:]]
    if program[0] == "-m":
        return ["-m", *program[1:]]
    return ["--", *program]


class _Run:
    """One child, from its start until nothing of it is left."""

    def __init__(
        self,
        command: list[str],
        program: list[str],
        folder: Path,
        bounds: Bounds,
        heard: Heard | None,
        told: Told | None,
        cancelled: threading.Event | None,
    ) -> None:
        self.command = command
        self.program = program
        self.folder = folder
        self.bounds = bounds
        self.heard = heard
        self.told = told
        self.cancelled = cancelled
        self.ended: tuple[Reason, str] | None = None
        """Why we ended it, if we did."""
        self.status: int | None = None
        self.backwards = 0
        self.last = ""
        self.seconds = 0.0
        self.kept = {"stdout": _Kept(), "stderr": _Kept()}

    def go(self) -> None:
        mark = uuid.uuid4().hex
        quiet = {"MPLBACKEND": "Agg", "WANDB_MODE": "offline"}
        environment = {**quiet, **os.environ, MARK: mark}
        progress = os.pipe() if os.name == "posix" else None
        command = [*self.command, *(["--progress", str(progress[1])] if progress else [])]
        started = time.monotonic()
        try:
            child = subprocess.Popen(
                [*command, *_recorder_arguments(self.program)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=environment,
                start_new_session=True,
                pass_fds=(progress[1],) if progress else (),
            )
        except OSError as error:
            raise TraceError(f"{command[0]} cannot be started: {error.strerror or error}") from None
        finally:
            if progress:
                os.close(progress[1])
        family = Family(child, mark)
        readers = [self._reader(child.stdout, "stdout"), self._reader(child.stderr, "stderr")]
        if progress:
            readers.append(threading.Thread(target=self._hear_progress, args=(os.fdopen(progress[0], "rb"),)))
        for reader in readers:
            reader.daemon = True
            reader.start()
        try:
            self._watch(child, family, started)
        finally:
            family.end(GRACE if self.ended else 0.0)
            for reader in readers:
                reader.join(5)
            self.status = child.returncode
            self.seconds = time.monotonic() - started

    def _watch(self, child: subprocess.Popen[bytes], family: Family, started: float) -> None:
        """Returns when the child has ended, or `self.ended` says why it must."""
        free = available_memory()
        limit = self.bounds.memory or (free * 4 // 5 if free else None)
        deadline = started + self.bounds.timeout + GRACE if self.bounds.timeout else None
        while child.poll() is None:
            if self.cancelled is not None and self.cancelled.is_set():
                self.ended = ("cancelled", "cancelled")
            elif deadline is not None and time.monotonic() > deadline:
                self.ended = ("timeout", f"stopped after {self.bounds.timeout:g} s")
            elif limit is not None and family.memory() > limit and family.proportional_memory() > limit:
                self.ended = ("memory", f"stopped because it used more than {limit // 1_000_000} MB of memory")
            if self.ended:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.05)

    def _reader(self, stream: IO[bytes] | None, name: str) -> threading.Thread:
        assert stream is not None

        def read() -> None:
            with stream, contextlib.suppress(ValueError, OSError):
                while chunk := os.read(stream.fileno(), 65_536):
                    self.kept[name].add(chunk)
                    if self.heard:
                        self.heard(name, chunk)

        return threading.Thread(target=read)

    def _hear_progress(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                with contextlib.suppress(ValueError, AttributeError):
                    said = json.loads(line)
                    self.backwards = int(said.get("backwards", 0))
                    self.last = f"{said.get('path', '?')}:{said.get('line', '?')}"
                    if self.told:
                        self.told(f"backward call {self.backwards} at {self.last}")


class _Kept:
    """The beginning and the end of a stream."""

    def __init__(self) -> None:
        self.head = b""
        self.tail = b""
        self.size = 0

    def add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        room = HEAD - len(self.head)
        self.head += chunk[:room] if room > 0 else b""
        self.tail = (self.tail + (chunk[room:] if room > 0 else chunk))[-TAIL:]

    def output(self) -> Output:
        lost = self.size - len(self.head) - len(self.tail)
        between = f"\n[... {lost} bytes not kept ...]\n".encode() if lost > 0 else b""
        return Output(text=(self.head + between + self.tail).decode("utf-8", "replace"), size=self.size)


def _collected(out: Path, run: _Run, program: list[str], folder: Path, python: str) -> Trace:
    """What the processes of the run wrote, as one trace."""
    found = sorted(out.parent.glob(out.name + ".rank*"), key=lambda p: int(p.name.rpartition("rank")[2]))
    stdout, stderr = run.kept["stdout"].output(), run.kept["stderr"].output()
    if found:
        ranks = [(int(path.name.rpartition("rank")[2]), load(path)) for path in found]
        trace = _merged(ranks)
        outcome = dataclasses.replace(trace.outcome, exit_code=_status(run.status))
        trace = dataclasses.replace(trace, outcome=outcome, command=tuple(program))
    elif out.exists():
        trace = load(out)
    else:
        reason, note = run.ended or ("killed", _death(run.status, stderr.text))
        seen = f", last seen in backward call {run.backwards} at {run.last}" if run.backwards else ""
        outcome = Outcome(reason=reason, note=note + seen, exit_code=_status(run.status))
        versions = Versions(executable=python)
        trace = Trace(
            raised=None, outcome=outcome, command=tuple(program), cwd=str(folder), versions=versions,
            backward_count=run.backwards,
        )  # fmt: skip
    outcome = trace.outcome
    if run.ended and outcome.reason == "cancelled":
        outcome = dataclasses.replace(outcome, reason=run.ended[0], note=run.ended[1])
    outcome = dataclasses.replace(outcome, seconds=round(run.seconds, 3))
    return dataclasses.replace(trace, outcome=outcome, stdout=stdout, stderr=stderr)


def _status(status: int | None) -> int | None:
    return None if status is None or status < 0 else status


def _death(status: int | None, stderr: str) -> str:
    if status is not None and status < 0:
        names = {s.value: s.name for s in signal.Signals}
        return f"the program was killed by {names.get(-status, f'signal {-status}')}"
    said = [line for line in stderr.strip().splitlines() if line.strip()]
    last = f": {said[-1].strip()[:200]}" if said else ""
    return f"the program ended with status {status} before anything was recorded{last}"


def _merged(ranks: list[tuple[int, Trace]]) -> Trace:
    """One trace of all ranks: told by the first that raised, with what each of them did."""
    number, leading = next(((n, t) for n, t in ranks if t.raised), ranks[0])
    rows = tuple(_rank(number, trace) for number, trace in ranks)
    raised = dataclasses.replace(leading.raised, rank=number) if leading.raised else None
    errors = tuple(dataclasses.replace(error, rank=n) for n, t in ranks for error in t.errors)
    return dataclasses.replace(leading, raised=raised, errors=errors, ranks=rows)


def _rank(number: int, trace: Trace) -> Rank:
    at = trace.raised
    if at is None:
        return Rank(rank=number, outcome=trace.outcome, raised=False)
    return Rank(rank=number, outcome=trace.outcome, raised=True, path=at.path, line=at.line, iteration=at.iteration)
