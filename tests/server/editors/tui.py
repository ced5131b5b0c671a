"""A program of the terminal in tmux: keys go in, the screen is read."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


class Screen:
    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self.socket = f"secondpass-{os.getpid()}-{time.monotonic_ns()}"
        settings = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
        shell = f"env {settings} {shlex.join(command)} 2>{shlex.quote(str(folder / 'stderr'))}"
        size = ("-x", "130", "-y", "40")
        self._tmux("-f", "/dev/null", "new-session", "-d", "-s", "s", *size, "-c", str(folder), shell)
        self._tmux("set-option", "-g", "escape-time", "0")

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-u", "-L", self.socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def key(self, *names: str) -> None:
        """Keys by tmux's names: `Enter`, `Escape`, `Space`."""
        for name in names:
            self._tmux("send-keys", "-t", "s", name)
            time.sleep(0.15)

    def write(self, text: str) -> None:
        self._tmux("send-keys", "-t", "s", "-l", text)
        time.sleep(0.15)

    def text(self) -> str:
        return self._tmux("capture-pane", "-p", "-t", "s")

    def wait(self, pattern: str, timeout: float = 15) -> str:
        """The screen, once the pattern is on it."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            screen = self.text()
            if re.search(pattern, screen):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} on the screen:\n{self.text()}")

    def gone(self, pattern: str, timeout: float = 15) -> None:
        """Wait until the pattern is no more on the screen."""
        end = time.monotonic() + timeout
        while re.search(pattern, self.text()):
            assert time.monotonic() < end, f"still {pattern!r} on the screen:\n{self.text()}"
            time.sleep(0.05)
