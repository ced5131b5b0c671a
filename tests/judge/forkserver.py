"""A process with torch loaded that forks one child per program and tells how the program ended.

Loading torch takes seconds, a fork some ten milliseconds; so the server pays once and each program is run in a fresh
child as `__main__`, with its own file, its own folder, its own process group and a time limit. The truth of a program
is the exception that leaves it, and the line of the innermost frame that lies in the program's own file: the line a
user would look at. One thread only, because autograd refuses to run in a child forked after its threads were started.

This module is both ends: `truth`/`truths`/`ForkServer` for the caller (who needs no torch), `serve` for the process.
One request a line, one answer a line, in JSON.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

Exception_ = Literal["second-time", "inplace-version", "other"]
TIMEOUT = 20.0
"""Seconds a program may take before it is killed; a generated one takes 0.05."""


@dataclass(frozen=True, slots=True)
class Truth:
    """How a program ended under torch.

    `exception` is None if it ran to its end (also by `sys.exit`); "other" is any further exception, a signal or the
    time limit. `line` counts from 1 and is None where no frame of the program was on the stack. `walks` says how often
    a backward or grad had been called from that line, the raising call included.
    """

    exception: Exception_ | None
    line: int | None = None
    walks: int | None = None
    type: str = ""
    message: str = ""
    walked: tuple[int, ...] = ()
    """The lines from which some backward or grad was called."""


def classify(kind: str, message: str) -> Exception_:
    """The word for an exception by PyTorch's messages; the second is that of `grad_fn._saved_x` after the walk."""
    if kind == "RuntimeError":
        if "backward through the graph a second time" in message:
            return "second-time"
        if "after they have already been freed" in message:
            return "second-time"
        if "modified by an inplace operation" in message:
            return "inplace-version"
    return "other"


def _truth(fields: dict[str, Any]) -> Truth:
    return Truth(**{**fields, "walked": tuple(fields["walked"])})


class ForkServer:
    """A running server; use it as a context manager, or the module's `truth` and `truths` for a shared one.

    `also` names further modules to import before any program is run.
    """

    def __init__(self, python: str = sys.executable, timeout: float = TIMEOUT, also: Sequence[str] = ()) -> None:
        self.timeout = timeout
        self.process = subprocess.Popen(
            [python, "-u", __file__, *also],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        )

    def truth(self, text: str) -> Truth:
        """Run one program."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"text": text, "timeout": self.timeout}) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the fork server ended with status {self.process.wait()}; is torch installed?")
        return _truth(json.loads(answer))

    def truths(self, texts: Iterable[str]) -> Iterator[Truth]:
        """Run programs one after the other, each answer as soon as it is there."""
        return map(self.truth, texts)

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_shared: list[ForkServer] = []


def shared() -> ForkServer:
    """The one server of this process, started when first asked for."""
    if not _shared:
        _shared.append(ForkServer())
        atexit.register(_shared[0].close)
    return _shared[0]


def truth(text: str) -> Truth:
    """How this program ends under torch."""
    return shared().truth(text)


def truths(texts: Sequence[str]) -> list[Truth]:
    """How each of these programs ends under torch."""
    return list(shared().truths(texts))


def serve() -> None:
    """Answer requests from standard input until it closes."""
    _load()
    answers = os.fdopen(os.dup(1), "w")
    for request in sys.stdin:
        asked = json.loads(request)
        with tempfile.TemporaryDirectory(prefix="judge-") as folder:
            result = _fork(asked["text"], Path(folder), asked["timeout"])
        answers.write(json.dumps(asdict(result)) + "\n")
        answers.flush()


def _load() -> None:
    """Import what programs import, so that no child pays for it; never walk a graph here (see the head)."""
    import gc
    import importlib

    import torch

    torch.set_num_threads(1)
    for name in ("numpy", "torch._dynamo", "torch.distributions", "torch.func", "torch.optim", "torch.utils.data"):
        importlib.import_module(name)
    for name in sys.argv[1:]:
        importlib.import_module(name)
    gc.freeze()


def _fork(text: str, folder: Path, timeout: float) -> Truth:
    import select
    import signal

    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _run(str(path), writer)
    os.close(writer)
    watch = os.pidfd_open(child)
    try:
        ended = bool(select.select([reader, watch], [], [], timeout)[0])
        # The answer is far smaller than a pipe's buffer, so it is there as a whole or not at all.
        answer = os.read(reader, 65536) if select.select([reader], [], [], 0)[0] else b""
        with suppress(ProcessLookupError, PermissionError):
            if not ended or answer:
                os.killpg(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
    finally:
        os.close(watch)
        os.close(reader)
    if answer:
        return _truth(json.loads(answer))
    if not ended:
        return Truth("other", type="TimeoutExpired", message=f"still running after {timeout:g} s")
    if status == 0:  # os._exit(0): the program ended itself, content
        return Truth(None)
    return Truth("other", type="Exit", message=f"ended with status {status}")


def _run(path: str, writer: int) -> None:
    """In the child: run the program as `__main__`, send its truth, and leave without any clean-up."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    os.chdir(Path(path).parent)
    sys.argv, sys.path[0] = [path], str(Path(path).parent)
    child = os.getpid()
    outcome = _outcome(path)
    if os.getpid() == child:  # a program may have forked: only the first child answers
        os.write(writer, json.dumps(asdict(outcome)).encode())
    os._exit(0)


def _outcome(path: str) -> Truth:
    import types

    walks = _count_walks(path)
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    try:
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), module.__dict__)
    except SystemExit:
        return Truth(None, walked=tuple(sorted(walks)))
    except BaseException as error:
        line = _innermost(error, path)
        name, message = type(error).__name__, str(error)[:2000]
        return Truth(classify(name, message), line, walks.get(line or 0), name, message, tuple(sorted(walks)))
    return Truth(None, walked=tuple(sorted(walks)))


def _innermost(error: BaseException, path: str) -> int | None:
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _count_walks(path: str) -> dict[int, int]:
    """Count the backward and grad calls of each line of the program; filled while it runs."""
    import functools

    import torch

    counts: dict[int, int] = {}

    def counted(walk: Any) -> Any:
        @functools.wraps(walk)
        def call(*args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if frame.f_code.co_filename == path:
                counts[frame.f_lineno] = counts.get(frame.f_lineno, 0) + 1
            return walk(*args, **kwargs)

        return call

    for owner, name in ((torch.Tensor, "backward"), (torch.autograd, "backward"), (torch.autograd, "grad")):
        setattr(owner, name, counted(getattr(owner, name)))
    return counts


if __name__ == "__main__":
    serve()
