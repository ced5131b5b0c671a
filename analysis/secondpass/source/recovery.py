"""Broken syntax costs the broken statement, not the file.

What an editor sends between two keystrokes rarely parses: `h = h.`, an open bracket that swallows the lines below, a
header without its colon. Here such a text is repaired until it parses, so that every other line keeps its place. A
repair replaces lines by as many lines, tried in order of what they lose (`candidates`), each judged by parsing only
the function around the fault; the whole text is parsed again once per fault. Measured on training code with one line
broken this loses next to nothing where parso's error recovery loses four statements, in a quarter of its time.
Nothing here runs unless Python refused the text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..findings import FileError
from . import candidates
from .candidates import Patch
from .errors import SourceError
from .lexing import Reader, indentation
from .positions import split_lines
from .source import Pieces, quiet_parse

MAX_FAULTS = 60
"""Broken statements told in one text; a text with more is not Python."""

WHOLE_TRIALS = 12
"""Candidates tried on the whole text when nothing smaller could be judged by itself."""

_DEFINITION = re.compile(r"[ \t\f]*(?:async[ \t]+def|def|class)\b")
_BLOCK_START = re.compile(r"(?!(?:else|elif|except|finally)\b)[A-Za-z_@\x80-\U0010ffff]")
_CONTINUES = re.compile(r"[ \t\f]*(?:[)\]}#\x22\x27]|(?:else|elif|except|finally)\b|$)")
_TOO_DEEP = ("too many nested parentheses", "too many levels of indentation")
_PYTHON_2 = re.compile(
    r"""[ \t]*(?:
        print[ \t]+(?:>>|(?!(?:in|is|and|or|if|not|else)\b)["'\w{`])
      | except[ \t]+[\w.]+[ \t]*,[ \t]*\w+[ \t]*:
      | except[ \t]*\([\w., \t]+\)[ \t]*,[ \t]*\w+[ \t]*:
      | raise[ \t]+[\w.]+[ \t]*,[ \t]*\S
      | exec[ \t]+["'\w]
    )""",
    re.VERBOSE,
)
_PYTHON_3 = re.compile(r"\bprint\(|\bf[\"']|\basync\s|->|\bnonlocal\b|\bsuper\(\)")


@dataclass(frozen=True, slots=True)
class _Loss:
    first: int
    last: int
    line: int
    message: str


def recover(
    text: str,
    path: str,
    error: SyntaxError,
    pieces: Sequence[tuple[int, int]],
    parse: Callable[[str], ast.Module] = quiet_parse,
) -> Pieces:
    """Tree, problems and lost lines of a text that Python refuses with `error`.

    `pieces` are the first and last lines of parts that stand alone, so that a fault in one cannot swallow the next.
    `parse` gives the tree of a whole text without them.
    """
    lines = split_lines(text)
    if not pieces:
        repair = _Repair(lines, path, parse)
        tree = repair.run(error)
        return tree, _problems(path, repair.losses), _stretches(repair.losses)
    losses: list[_Loss] = []
    for first, last in pieces:
        part = lines[first - 1 : last]
        try:
            quiet_parse("\n".join(part))
        except SyntaxError as fault:
            repair = _Repair(part, path)
            shift = first - 1
            try:
                repair.run(fault)
            except SourceError as refused:
                raise SourceError(path, refused.error.line + shift, refused.error.message) from None
            lines[shift:last] = repair.lines
            losses += [
                _Loss(loss.first + shift, loss.last + shift, loss.line + shift, loss.message) for loss in repair.losses
            ]
    return quiet_parse("\n".join(lines)), _problems(path, losses), _stretches(losses)


def _problems(path: str, losses: Sequence[_Loss]) -> tuple[FileError, ...]:
    return tuple(FileError(path, loss.line, loss.message) for loss in sorted(losses, key=lambda loss: loss.line))


def _stretches(losses: Sequence[_Loss]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((loss.first, loss.last) for loss in losses))


class _Repair:
    """The repair of one text, given as lines that are patched in place (their number stays)."""

    def __init__(self, lines: list[str], path: str, parse: Callable[[str], ast.Module] = quiet_parse) -> None:
        self.parse = parse
        self.lines = lines
        self.original = list(lines)
        self.path = path
        self.losses: list[_Loss] = []
        self.shifts: dict[int, int] = {}
        """By line, how many columns its original stands further right."""
        self.allowance = 12 * sum(map(len, lines)) + 100_000
        """Characters that may still be parsed in trials; keeps text that is no Python from taking long."""

    def run(self, error: SyntaxError) -> ast.Module:
        """The tree of the repaired text."""
        fault: SyntaxError | None = error
        tree = ast.Module([], [])
        tried: set[tuple[int, str]] = set()
        while fault is not None:
            line = self._refuse_or_locate(fault)
            known = (line, fault.msg) in tried
            tried.add((line, fault.msg))
            if known or len(self.losses) >= MAX_FAULTS or self.allowance < 0:
                return self._drop_broken_blocks(fault)
            self._mend(line, fault)
            try:
                # A tree whose columns are to be changed is nobody else's.
                tree, fault = (quiet_parse if self.shifts else self.parse)("\n".join(self.lines)), None
            except SyntaxError as next_fault:
                fault = next_fault
        if self.shifts:
            self._shift_back(tree)
        return tree

    def _shift_back(self, tree: ast.Module) -> None:
        """Give the nodes on lines whose indentation was changed the columns they have in the original."""
        for node in ast.walk(tree):
            if isinstance(node, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler, ast.pattern)):
                node.col_offset += self.shifts.get(node.lineno, 0)
                if node.end_lineno is not None and node.end_col_offset is not None:
                    node.end_col_offset += self.shifts.get(node.end_lineno, 0)

    def _refuse_or_locate(self, fault: SyntaxError) -> int:
        """The line of a fault (within the text); raises `SourceError` for what is not worth repairing."""
        line = min(max(fault.lineno or 1, 1), len(self.lines))
        if fault.msg.startswith(_TOO_DEEP):
            raise SourceError(self.path, line, "nested too deep for Python's parser; not checked")
        if _PYTHON_2.match(self.original[line - 1]):
            signs = sum(1 for one in self.original if _PYTHON_2.match(one))
            if signs > 1 or not any(_PYTHON_3.search(one) for one in self.original):
                shown = candidates.shorten(self.original[line - 1])
                raise SourceError(self.path, line, f"looks like Python 2 (`{shown}`); only Python 3 is checked")
        return line

    def _mend(self, line: int, fault: SyntaxError) -> None:
        """Repair the fault reported at `line` as cheaply as any candidate does."""
        text = "\n".join(self.lines)
        patch = self._stray_quotes() if text.count('"""') % 2 or text.count("'''") % 2 else None
        regions = list(self._regions(line))
        for first, last in regions:
            patch = patch or self._search(first, last, line, fault)
        self._apply(patch or candidates.leave_out(self.lines, *regions[0]), fault)

    def _apply(self, patch: Patch, fault: SyntaxError) -> None:
        first, last = patch.first, patch.last
        self.lines[first - 1 : last] = patch.lines
        if patch.shift:
            self.shifts[first] = self.shifts.get(first, 0) + patch.shift
        shown = next((one for one in self.original[first - 1 : last] if one.strip()), self.original[first - 1])
        stretch = f" (lines {first} to {last})" if last > first else ""
        does = "is left out" if not patch.keeps else "is read as far as it goes"
        message = f"syntax error in `{candidates.shorten(shown)}`: {fault.msg}; it {does}{stretch}"
        self.losses.append(_Loss(first, last, first, message))

    def _search(self, first: int, last: int, line: int, fault: SyntaxError) -> Patch | None:
        """The first candidate that makes the region parse, or else the one that gets furthest beyond `line`."""
        whole = last - first + 1 == len(self.lines)
        for patches in (
            candidates.precise(self.lines, first, last, line, fault.msg),
            candidates.coarse(self.lines, first, last, line),
        ):
            furthest, best = line, None
            for patch in islice(patches, WHOLE_TRIALS if whole else None):
                if self.allowance < 0:
                    return best
                reached = self._trial(first, last, patch)
                if reached is None:
                    return patch
                if patch.first == line and reached != line and fault.msg.startswith("unterminated string"):
                    return patch  # Python tells such a fault before any other, wherever that is
                if reached > max(furthest, patch.last):
                    furthest, best = reached, patch
            if best is not None:
                return best
        return None

    def _stray_quotes(self) -> Patch | None:
        """The line left out whose triple quotes turn the rest of the text inside out, if that is the fault.

        Python then reports a place far below: the first block that does not parse by itself is where to look.
        """
        for first, last in self._blocks(self.lines):
            if self._fault_of(self.lines[first - 1 : last], first) is not None:
                break
        else:
            return None
        for patch in candidates.of_stray_quotes(self.lines, first, last):
            if self.allowance < 0:
                return None
            lines = self.lines[: patch.first - 1] + patch.lines + self.lines[patch.last :]
            end = next(end for start, end in self._blocks(lines, first) if start <= patch.last <= end)
            if self._fault_of(lines[first - 1 : end], first) is None:
                return patch
        return None

    def _trial(self, first: int, last: int, patch: Patch) -> int | None:
        """Where the region's first fault would be with `patch` applied; None if it then parses."""
        part = self.lines[first - 1 : patch.first - 1] + patch.lines + self.lines[patch.last : last]
        return self._fault_of(part, first)

    def _fault_of(self, part: list[str], first: int) -> int | None:
        """The line of the first fault of lines that start at line `first` of the text; None if they parse."""
        start = next((one for one in part if one.strip() and not one.lstrip().startswith("#")), "")
        indented = bool(indentation(start))
        text = "\n".join(part)
        self.allowance -= len(text)
        try:
            quiet_parse("if 1:\n" + text if indented else text)
        except SyntaxError as error:
            return (error.lineno or 1) + first - 1 - indented
        return None

    def _regions(self, line: int) -> Iterator[tuple[int, int]]:
        """Stretches of lines around a fault to judge candidates by: the function, the top-level block, the text."""
        before = self._code_before(line)
        inner = self._definition_around(before, line)
        if inner is not None:
            yield self._with_whole_strings(*inner)
        yield self._with_whole_strings(self._block_start(before), self._block_end(line, 0))
        yield 1, len(self.lines)

    def _with_whole_strings(self, first: int, last: int) -> tuple[int, int]:
        """The stretch with its end moved behind the triple-quoted string that it cuts in two, if it does."""
        text = "\n".join(self.lines[first - 1 : last])
        for quotes in ('"""', "'''"):
            if text.count(quotes) % 2:
                last = next((n for n in range(last + 1, len(self.lines) + 1) if quotes in self.lines[n - 1]), last)
        return first, last

    def _code_before(self, line: int) -> int:
        while line > 1:
            line -= 1
            if self.lines[line - 1].strip():
                return line
        return 1

    def _definition_around(self, before: int, line: int) -> tuple[int, int] | None:
        """The innermost function or class that holds both lines, if any."""
        limit = len(indentation(self.lines[before - 1])) + 1
        for number in range(before, 0, -1):
            text = self.lines[number - 1]
            if not text.strip():
                continue
            width = len(indentation(text))
            if width < limit and _DEFINITION.match(text):
                end = self._block_end(number + 1, width)
                if end >= line:
                    return number, end
                # the fault shows behind the definition it comes from: take the statement after it too
                return number, self._block_end(max(line, end + 1), width)
            if width == 0 and _BLOCK_START.match(text):
                return None
        return None

    def _block_start(self, line: int) -> int:
        while line > 1 and not _BLOCK_START.match(self.lines[line - 1]):
            line -= 1
        return line

    def _block_end(self, line: int, width: int) -> int:
        """The last line before one after `line` that starts a statement indented by at most `width`."""
        for number in range(line + 1, len(self.lines) + 1):
            text = self.lines[number - 1]
            if len(indentation(text)) <= width and not _CONTINUES.match(text):
                return number - 1
        return len(self.lines)

    def _blocks(self, lines: list[str], begin: int = 1) -> Iterator[tuple[int, int]]:
        """First and last lines of the top-level blocks from line `begin` on; decorators go with what they decorate."""
        reader = Reader()
        start = begin
        for number in range(begin, len(lines) + 1):
            text = lines[number - 1]
            if number > start and not reader.string and _BLOCK_START.match(text) and lines[start - 1][:1] != "@":
                yield start, number - 1
                start = number
                reader = Reader()
            reader.feed(text, number)
        yield start, len(lines)

    def _drop_broken_blocks(self, fault: SyntaxError) -> ast.Module:
        """The tree without the top-level blocks that do not parse by themselves; empty if that does not help."""
        for first, last in list(self._blocks(self.lines)):
            if self._fault_of(self.lines[first - 1 : last], first) is not None:
                self._apply(candidates.blank(first, last), fault)
        if len(self.losses) > MAX_FAULTS:
            first = min(loss.line for loss in self.losses)
            shown = candidates.shorten(self.original[first - 1])
            message = f"does not look like Python: more than {MAX_FAULTS} syntax errors, the first in `{shown}`"
            raise SourceError(self.path, first, message)
        try:
            return quiet_parse("\n".join(self.lines))
        except SyntaxError as error:
            self._apply(candidates.blank(1, len(self.lines)), error)
            return ast.Module([], [])
