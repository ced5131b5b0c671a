"""Which Python runs the user's program, and why that one."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .record import TraceError


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: str
    why: str
    """Where the choice came from, to be shown before the run: `VIRTUAL_ENV`, `.venv`, `PATH`."""


def choose(given: str | None, folder: Path, environment: Mapping[str, str] = os.environ) -> Interpreter:
    """The interpreter asked for; else of the active environment, of a `.venv` at or above `folder`, this one if it has
    torch, or the first on PATH. Raises TraceError if there is none."""
    if given is not None:
        found = shutil.which(given)
        if found is None:
            raise TraceError(f"there is no Python interpreter at {given}")
        return Interpreter(found, "as asked")
    for home, why in [
        (environment.get("VIRTUAL_ENV"), "VIRTUAL_ENV"),
        *((str(parent / ".venv"), f"{parent / '.venv'}") for parent in (folder, *folder.parents)),
    ]:
        for inner in ("bin/python", "Scripts/python.exe"):
            if home and (python := Path(home, inner)).exists():
                return Interpreter(str(python), why)
    if importlib.util.find_spec("torch") is not None:
        return Interpreter(sys.executable, "the one that runs secondpass")
    for name in ("python3", "python"):
        if found := shutil.which(name, path=environment.get("PATH")):
            return Interpreter(found, "PATH")
    raise TraceError("no Python interpreter found: name one with --python")
