"""Runs a program with some of its files changed, in a temporary copy of its project."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .record import Trace, TraceError
from .runner import Bounds, trace_command

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
) -> Trace:
    """The recorded run of `arguments` (seen from `root`) with the given texts in place of the files' own.

    The keys of `changed` are paths below `root`. Raises TraceError if one lies outside `root`, or if
    the project is too large to copy.
    """
    root = root.resolve()
    with tempfile.TemporaryDirectory(prefix="secondpass-fix-") as place:
        copy = Path(place, root.name or "project")
        _copy(root, copy)
        for path, text in changed.items():
            target = copy / _below(root, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="")
        moved = [str(_below(root, a)) if Path(a).is_absolute() and _inside(root, a) else a for a in arguments]
        return trace_command(moved, bounds=bounds, python=python, folder=copy)


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


def _below(root: Path, path: str) -> Path:
    full = (root / path).resolve()
    if not full.is_relative_to(root):
        raise TraceError(f"{path} lies outside {root}, where the copy is made")
    return full.relative_to(root)


def _inside(root: Path, path: str) -> bool:
    return Path(path).resolve().is_relative_to(root)


def _copy(root: Path, copy: Path) -> None:
    total = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        here = copy / Path(folder).relative_to(root)
        here.mkdir(parents=True, exist_ok=True)
        for name in files:
            source = Path(folder, name)
            if not source.is_file():
                continue
            total += source.stat().st_size
            if total > COPY_LIMIT:
                raise TraceError(f"{root} is too large to try a fix in a copy (over {COPY_LIMIT // 1_000_000} MB)")
            shutil.copy2(source, here / name)
