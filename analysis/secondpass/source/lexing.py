"""A line-by-line reader of Python's brackets and strings that nothing can stop.

Python's own tokenizer gives up at the first fault; what is repaired here is faulty. Shared by recovery (which bracket
swallowed this line?) and notebooks (does this `%` start a line of its own?).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""
    (?P<comment>\#.*)
    | (?P<triple>\"{3}|'{3})
    | (?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<continued>\\\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(slots=True)
class Reader:
    """What is open at the end of the lines fed so far."""

    brackets: list[tuple[str, int]] = field(default_factory=list)
    """Open brackets with the line each stands on, outermost first."""
    string: str = ""
    """The quotes of the triple-quoted string that is open, or empty."""
    string_line: int = 0
    continued: bool = False
    """Whether the last line ended in a backslash."""

    @property
    def between_statements(self) -> bool:
        return not (self.brackets or self.string or self.continued)

    def feed(self, line: str, number: int) -> None:
        """Read one line (without its ending); `number` is what `brackets` and `string_line` will call it."""
        at = 0
        self.continued = False
        if self.string:
            at = self._close_string(line, 0)
        while at < len(line):
            match = _TOKEN.search(line, at)
            if match is None:
                return
            at = match.end()
            kind, text = match.lastgroup, match.group()
            if kind == "triple":
                self.string, self.string_line = text, number
                at = self._close_string(line, at)
            elif kind == "open":
                self.brackets.append((text, number))
            elif kind == "close":
                # a bracket that closes an outer one closes those left open within it too
                at_most = len(self.brackets)
                while at_most and self.brackets[at_most - 1][0] != _PAIRS[text]:
                    at_most -= 1
                if at_most:
                    del self.brackets[at_most - 1 :]
            elif kind == "continued":
                self.continued = True

    def _close_string(self, line: str, at: int) -> int:
        """Where reading goes on after the open triple-quoted string; the line's end if it stays open."""
        while True:
            end = line.find(self.string, at)
            if end < 0:
                return len(line)
            backslashes = end - len(line[at:end].rstrip("\\")) - at
            if backslashes % 2:
                at = end + 1
                continue
            self.string = ""
            return end + 3


def indentation(line: str) -> str:
    """The white space a line starts with."""
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def closers(lines: Iterable[str]) -> str:
    """The closing brackets these lines still need, in order; empty if they end in an open string."""
    reader = Reader()
    for number, line in enumerate(lines, 1):
        reader.feed(line, number)
    if reader.string:
        return ""
    return "".join({"(": ")", "[": "]", "{": "}"}[bracket] for bracket, _ in reversed(reader.brackets))
