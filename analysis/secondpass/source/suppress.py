"""What a file says about findings not to be told, and which of it was needed.

How the comments are written and what they cover is told in `comments`, which reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..findings import FileError, Span

MARK = "secondpass:"
"""What every such comment holds; a text without it has none."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment that silences findings on the lines `first` to `last` (counted in `Source.text`, both included)."""

    span: Span
    """The comment itself, from its `#`."""
    codes: tuple[str, ...]
    """Codes, prefixes or names of rules in capitals; empty means every rule."""
    reason: str
    first: int
    last: int
    whole_file: bool

    def matching(self, code: str, name: str = "") -> str | None:
        """Which of `codes` covers the rule ("" for a comment that names none); None if none does."""
        if not self.codes:
            return ""
        return next((one for one in self.codes if code.startswith(one) or one == name.upper() != ""), None)


@dataclass(frozen=True, slots=True)
class Unused:
    """A suppression, or some of its codes, that silenced nothing; `codes` is empty if the comment names none."""

    suppression: Suppression
    codes: tuple[str, ...]


class Suppressions:
    """All suppressions of one file. Remembers which were needed."""

    def __init__(self, path: str, suppressions: Iterable[Suppression], problems: Iterable[FileError] = ()) -> None:
        self.path = path
        self.all = tuple(suppressions)
        self.problems = tuple(problems)
        """Comments that start with `secondpass:` and cannot be understood, one line each."""
        self._used: set[tuple[Suppression, str]] = set()

    def suppressed(self, code: str, line: int, end_line: int | None = None, name: str = "") -> Suppression | None:
        """The comment that silences a finding of rule `code`, called `name`, on these lines of `Source.text`, or None.

        One on the statement counts before one for the whole file. The one given is remembered as used.
        """
        end_line = line if end_line is None else end_line
        best: tuple[Suppression, str] | None = None
        for suppression in self.all:
            if suppression.first <= end_line and line <= suppression.last:
                match = suppression.matching(code, name)
                if match is not None and (best is None or not suppression.whole_file):
                    best = (suppression, match)
                    if not suppression.whole_file:
                        break
        if best is None:
            return None
        self._used.add(best)
        return best[0]

    def unused(self) -> tuple[Unused, ...]:
        """What silenced nothing so far, in the order of the text."""
        found = []
        for suppression in self.all:
            codes = tuple(code for code in suppression.codes if (suppression, code) not in self._used)
            if codes or (not suppression.codes and (suppression, "") not in self._used):
                found.append(Unused(suppression, codes))
        return tuple(found)
