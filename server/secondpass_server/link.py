"""The server's end of the pipes to an analysing process.

A thread of its own writes a request and reads the reply, so that the event loop never waits for a pipe; asyncio's own
subprocesses are not used, since one whose start is cancelled can keep the loop from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from .worker import pack, read


class Ended(Exception):
    """The process ended before it replied."""


class Link:
    """One analysing process, from its start to its end."""

    def __init__(self, analysis: str) -> None:
        self._process = subprocess.Popen(
            child("secondpass_server.worker:main", analysis),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._number = 0
        self._writing = threading.Lock()
        self._requests: queue.SimpleQueue[tuple[Any, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="secondpass-link", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, method: str, arguments: tuple[Any, ...]) -> asyncio.Future[Any]:
        """The reply to a request, in the running event loop; raises `Ended`."""
        future = asyncio.get_running_loop().create_future()
        self._number += 1
        self._requests.put(((self._number, method, arguments), future))
        return future

    def interrupt(self) -> None:
        """End the last request; its reply comes soon and says that it was interrupted."""
        with contextlib.suppress(OSError, ValueError):  # it has just ended
            self._write(self._number)

    def kill(self) -> None:
        self._process.kill()
        self._requests.put(None)

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            message, future = request
            reply = self._exchange(message)
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
                future.get_loop().call_soon_threadsafe(settle, future, reply)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()

    def _write(self, message: Any) -> None:
        assert self._process.stdin is not None
        with self._writing:
            self._process.stdin.write(pack(message))
            self._process.stdin.flush()

    def _exchange(self, message: Any) -> Any:
        assert self._process.stdout is not None
        try:
            self._write(message)
            return read(self._process.stdout)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            return Ended()


def settle(future: asyncio.Future[Any], reply: Any) -> None:
    if future.done():
        return
    if isinstance(reply, Ended):
        future.set_exception(reply)
        future.exception()  # nobody may be left to look at it
    else:
        future.set_result(reply)


def child(call: str, *arguments: str) -> list[str]:
    """A command that calls `MODULE:FUNCTION` in a Python that imports what this process imports.

    Said in the command and not in the environment, which programs that it runs would inherit; and nothing is looked for
    in the current folder, which is the user's.
    """
    module, _, function = call.partition(":")
    here = Path.cwd()
    roots = [str(path) for entry in sys.path if entry and (path := Path(entry).absolute()) != here]
    code = f"import sys; sys.path[:] = {roots!r}; from {module} import {function}; sys.exit({function}())"
    return [sys.executable, "-c", code, *arguments]
