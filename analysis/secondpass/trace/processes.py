"""A child and all that it starts: how much memory they use together, and how to end every one of them.

The child leads a session of its own. What leaves that session too (daemons, torchrun's workers) is found on Linux by a
mark in its environment; elsewhere only the session's process group is known.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "SECONDPASS_TRACED"
"""The environment variable that marks a traced program and its children."""

_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Family:
    """A child started with `start_new_session=True` and `mark` in its environment, with its descendants."""

    def __init__(self, child: subprocess.Popen[bytes], mark: str) -> None:
        self.child = child
        self.mark = f"{MARK}={mark}".encode()

    def members(self) -> Iterator[int]:
        """The ids of the processes alive, zombies left out."""
        if not _PROC.joinpath("self/stat").exists():
            if self.child.poll() is None:
                yield self.child.pid
            return
        for entry in _PROC.iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            with contextlib.suppress(OSError, ValueError, IndexError):
                state, _, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
                if state in "ZX":
                    continue
                if int(group) == self.child.pid or self.mark in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)

    def memory(self) -> int:
        """Bytes of physical memory in use; pages that processes share are counted once where the system tells."""
        total = 0
        for pid in self.members():
            with contextlib.suppress(OSError, ValueError, IndexError):
                resident = int((_PROC / str(pid) / "statm").read_text().split()[1]) * _PAGE
                total += resident
        return total

    def proportional_memory(self) -> int:
        """As `memory`, shared pages split among those that share them; milliseconds per process."""
        total = 0
        for pid in self.members():
            with contextlib.suppress(OSError, ValueError, IndexError):
                for line in (_PROC / str(pid) / "smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        total += int(line.split()[1]) * 1024
        return total

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.child.pid, number)
            else:
                self.child.terminate()
        for pid in list(self.members()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def end(self, grace: float) -> None:
        """Ask all to end, wait `grace` seconds for it, then kill what is left; returns when none is."""
        if grace and self.child.poll() is None:
            self.signal(signal.SIGTERM)
            deadline = time.monotonic() + grace
            while self.child.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
        deadline = time.monotonic() + 5
        while True:
            self.signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            self.child.poll()
            if not list(self.members()) or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(5)


def available_memory() -> int | None:
    """Bytes that can be taken without swapping; None where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in (_PROC / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None
