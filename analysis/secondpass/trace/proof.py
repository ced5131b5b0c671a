"""Runs a program with some of its files changed, in a temporary copy of its project."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..source.decode import decode, read_bytes
from ..source.errors import SourceError
from .record import Trace, TraceError
from .runner import Bounds, Told, trace_command

LEFT_OUT = {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".mypy_cache", ".tox", "wandb"}
COPY_LIMIT = 200_000_000
"""Bytes copied at most."""


def run_changed(
    changed: Mapping[str, str],
    *,
    root: Path,
    arguments: Sequence[str],
    bounds: Bounds | None = None,
    python: str | None = None,
    told: Told | None = None,
    cancelled: threading.Event | None = None,
) -> Trace:
    """The recorded run of `arguments` (seen from `root`) with the given texts in place of the files' own.

    The keys of `changed` are paths below `root`; an interpreter is looked for where the project is, not its copy.
    `told` and `cancelled` are as in `trace_command`. Raises TraceError if a path lies outside `root`, or if the project
    is too large to copy.
    """
    root = root.resolve()
    with tempfile.TemporaryDirectory(prefix="secondpass-fix-") as place:
        copy = Path(place, root.name or "project")
        _copy(root, copy)
        for path, text in changed.items():
            target = copy / below(root, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode(_encoding(target), "replace"))
        moved = [below(root, a) if Path(a).is_absolute() and _inside(root, a) else a for a in arguments]
        return trace_command(
            moved, bounds=bounds, python=python, folder=copy, home=root, told=told, cancelled=cancelled
        )


def raises(
    path: str,
    text: str,
    *,
    root: Path,
    arguments: Sequence[str] = (),
    bounds: Bounds | None = None,
    python: str | None = None,
) -> bool | None:
    """Whether a program raises one of the two errors when one of its files has another text: the proof of a fix.

    `path` is the file below `root`, `arguments` the program to run and its arguments (default: the file itself). None
    if the run did not get far enough to say: no backward call happened, or the program failed otherwise.
    """
    trace = run_changed({path: text}, root=root, arguments=arguments or (path,), bounds=bounds, python=python)
    return verdict(trace)


def verdict(trace: Trace) -> bool | None:
    """True if the run raised, False if it walked and did not, None if it says nothing."""
    if trace.raised is not None:
        return True
    failed = trace.outcome.exit_code not in (0, None) or trace.outcome.reason in ("killed", "refused", "no-torch")
    return None if failed or not trace.backward_count else False


def first_that_runs(candidates: Iterable[Mapping[str, str]], *, root: Path, arguments: Sequence[str]) -> int | None:
    """The index of the first set of changed texts with which the program ends without either error; None if none."""
    for index, changed in enumerate(candidates):
        if verdict(run_changed(changed, root=root, arguments=arguments)) is False:
            return index
    return None


def below(root: Path, path: str) -> str:
    """A path as it is seen from `root`; raises TraceError if it lies outside."""
    full = (root / path).resolve()
    if not full.is_relative_to(root.resolve()):
        raise TraceError(f"{path} lies outside {root}, where the copy is made")
    return str(full.relative_to(root.resolve()))


def _encoding(target: Path) -> str:
    """The encoding in which a changed text is written: that of the file it replaces."""
    try:
        return decode(read_bytes(target), target.name)[1]
    except SourceError:
        return "utf-8"


def _inside(root: Path, path: str) -> bool:
    return Path(path).resolve().is_relative_to(root)


def _copy(root: Path, copy: Path) -> None:
    total = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        here = copy / Path(folder).relative_to(root)
        here.mkdir(parents=True, exist_ok=True)
        for name in folders:
            if (linked := Path(folder, name)).is_symlink():  # data sets are often kept elsewhere
                (here / name).symlink_to(linked.resolve(), target_is_directory=True)
        for name in files:
            source = Path(folder, name)
            if not source.is_file():
                continue
            total += source.stat().st_size
            if total > COPY_LIMIT:
                size = COPY_LIMIT // 1_000_000
                raise TraceError(f"{root} is too large to try a fix in a copy of it (over {size} MB)")
            shutil.copy2(source, here / name)
