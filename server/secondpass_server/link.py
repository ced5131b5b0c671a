"""The server's end of the pipes to an analysing process.

A thread of its own writes a request and reads the reply, so that the event loop never waits for a pipe; asyncio's own
subprocesses are not used, since one whose start is cancelled can keep the loop from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
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
            [sys.executable, "-m", "secondpass_server.worker", analysis],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=same_imports(),
            cwd=Path(__file__).parents[1],  # Python looks there first: not in a folder of the user's
        )
        self._requests: queue.SimpleQueue[tuple[Any, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="secondpass-link", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, message: Any) -> asyncio.Future[Any]:
        """The reply to a message, in the running event loop; raises `Ended`."""
        future = asyncio.get_running_loop().create_future()
        self._requests.put((message, future))
        return future

    def interrupt(self) -> None:
        """End the work at hand; its reply comes soon and says that it was interrupted."""
        with contextlib.suppress(OSError, ValueError):  # it has just ended
            if self._process.stdin is not None:
                self._process.stdin.write(pack(None))
                self._process.stdin.flush()

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

    def _exchange(self, message: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(pack(message))
            self._process.stdin.flush()
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


def same_imports() -> dict[str, str]:
    """An environment in which a child imports what this process imports, wherever that came from."""
    roots = [entry for entry in sys.path if entry and Path(entry).exists()]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(roots), "PYTHONSAFEPATH": "1"}
