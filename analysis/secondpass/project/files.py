"""Which files to check: the Python files and notebooks under the paths a person gave.

Named files are always checked. Under a folder, hidden folders, virtual environments, installed packages and caches are
passed over, and so is what git ignores (`ignored`) and what the `exclude` patterns of the settings say, which are
written as in .gitignore. Paths keep the form they were given in; the order is the same on every machine; links to
folders are not followed, so a loop of them is harmless.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..findings import FileError
from ..settings import Settings
from .ignored import Ignored, ignored_in

Excluded = Callable[[Path, bool], bool]
"""Whether a path is excluded; the flag tells a folder."""

SUFFIXES = (".py", ".pyw", ".ipynb")
SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages", "venv", "__pypackages__"})
"""Folders passed over besides hidden ones and those that are a virtual environment."""


@dataclass(slots=True)
class Found:
    """The files to check in order, each once, and what was wrong with the paths given."""

    files: list[Path] = field(default_factory=list)
    problems: list[FileError] = field(default_factory=list)


def find(paths: Iterable[str | Path], settings: Settings | None = None) -> Found:
    """The files under `paths`, less what the settings' `exclude` patterns say (read from their `root`)."""
    found = Found()
    excluded = _excluder(settings) if settings and settings.exclude else None
    seen: set[str] = set()
    for given in paths:
        path = Path(given)
        if path.is_dir():
            empty = True
            for file in _walk(path, ignored_in(path), excluded, found.problems):
                empty = False
                _add(file, found, seen)
            if empty:
                found.problems.append(FileError(str(given), 1, "no Python files or notebooks to check in this folder"))
        elif path.exists() or path.is_symlink():
            _add(path, found, seen)
        else:
            found.problems.append(FileError(str(given), 1, "no such file or folder"))
    return found


def _add(file: Path, found: Found, seen: set[str]) -> None:
    key = os.path.normpath(file.absolute())
    if key not in seen:
        seen.add(key)
        found.files.append(file)


def _walk(folder: Path, ignored: Ignored, excluded: Excluded | None, problems: list[FileError]) -> Iterator[Path]:
    """The files to check in `folder` and below, files of a folder before its subfolders, each sorted by name."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        problems.append(FileError(str(folder), 1, f"cannot be read: {(error.strerror or str(error)).lower()}"))
        return
    folders = []
    ignored = ignored.inside(folder, [entry.name for entry in listed])
    for entry in listed:
        path = folder / entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if _skipped(entry) if is_folder else not entry.name.endswith(SUFFIXES):
            continue
        if (excluded and excluded(path, is_folder)) or ignored.says(path, is_folder):
            continue
        if is_folder:
            folders.append(path)
        elif path.is_file():  # unlike the entry, it takes a link that leads to itself for what it is
            yield path
    for path in folders:
        yield from _walk(path, ignored, excluded, problems)


def _skipped(entry: os.DirEntry[str]) -> bool:
    return entry.name.startswith(".") or entry.name in SKIPPED or Path(entry.path, "pyvenv.cfg").exists()


def is_excluded(path: Path, settings: Settings) -> bool:
    """Whether the settings' `exclude` patterns say not to check this file."""
    return bool(settings.exclude) and _excluder(settings)(path, False)


def ignored_for(path: Path, settings: Settings) -> tuple[str, ...]:
    """The rules that the settings do not want to be told of this file in particular."""
    return tuple(
        code
        for pattern, codes in settings.per_file_ignores.items()
        if _matcher([pattern], settings)(path, False)
        for code in codes
    )


def _excluder(settings: Settings) -> Excluded:
    return _matcher(settings.exclude, settings)


def _matcher(lines: Iterable[str], settings: Settings) -> Excluded:
    from pathspec import GitIgnoreSpec

    patterns = GitIgnoreSpec.from_lines(lines)
    root = os.path.normpath((settings.root or Path()).absolute())

    def excluded(path: Path, is_folder: bool) -> bool:
        relative = os.path.relpath(path.absolute(), root)
        if relative.startswith(".."):
            return False
        return patterns.match_file(relative.replace(os.sep, "/") + ("/" if is_folder else ""))

    return excluded
