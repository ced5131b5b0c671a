"""What git is told not to look at: the `.gitignore` files around and below a folder, and the repository's own list.

As in git: a pattern holds below the folder of its file, the last that matches decides, one in a deeper folder is
stronger, and what lies in an ignored folder stays ignored. What is tracked all the same is not asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"
Level = tuple[str, "GitIgnoreSpec"]
"""A folder, absolute, and the patterns that hold below it."""


class Ignored:
    """The patterns that hold in one folder; an inner folder may add its own (`inside`)."""

    def __init__(self, levels: tuple[Level, ...] = ()) -> None:
        self._levels = levels

    def inside(self, folder: Path, names: Iterable[str]) -> Ignored:
        """The same for a folder below, which holds these names."""
        return Ignored((*_read(folder / NAME, folder), *self._levels)) if NAME in names else self

    def says(self, path: Path, is_folder: bool) -> bool:
        """Whether git ignores this file or folder; its folder is one that git does not ignore."""
        if not self._levels:
            return False
        whole = os.path.normpath(path.absolute())
        for folder, patterns in self._levels:
            relative = os.path.relpath(whole, folder).replace(os.sep, "/")
            decided = patterns.check_file(relative + "/" if is_folder else relative).include
            if decided is not None:
                return decided
        return False


def ignored_in(folder: Path) -> Ignored:
    """The patterns that hold in a folder that is to be checked, but for its own. One that a person names counts, even
    if git ignores it: then nothing that lies above it is asked."""
    levels: list[Level] = []
    whole = Path(os.path.normpath(folder.absolute()))
    for above in (whole, *whole.parents):
        if above != whole:
            levels += _read(above / NAME, above)
        if (above / ".git").exists():
            levels += _read(above / ".git" / "info" / "exclude", above)
            found = Ignored(tuple(levels))
            inner = [one for one in (whole, *whole.parents) if above in one.parents]
            return Ignored() if any(found.says(one, True) for one in inner) else found
    return Ignored()


def _read(file: Path, folder: Path) -> Iterator[Level]:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    from pathspec import GitIgnoreSpec

    patterns: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue  # git passes over a line that is no pattern
        patterns.append(line)
    if patterns:
        yield os.path.normpath(folder.absolute()), GitIgnoreSpec.from_lines(patterns)
