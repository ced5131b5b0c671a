"""Places in a text, in all the ways they are counted.

Reports count lines and columns from 1, columns in characters. Python's `ast` counts columns from 0 in UTF-8 bytes. The
language server protocol counts both from 0, columns in UTF-8, UTF-16 or UTF-32 units as client and server agreed.
A line ends at `\n`, `\r\n` or `\r` and nowhere else: form feed, vertical tab, NEL and U+2028 are ordinary characters to
Python's tokenizer and to the protocol alike, which is why `str.splitlines` is not used here.
A line of ASCII needs no conversion, and CPython knows without looking whether a string is ASCII.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Literal

Units = Literal["utf-8", "utf-16", "utf-32"]

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which an editor may send and UTF-8 cannot write; U+FFFD is as wide in every unit."""

_LINE_END = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines of `text` without their endings; a text that ends in a line end has an empty last line."""
    if "\r" in text:
        return _LINE_END.split(text)
    return text.split("\n")


def units_before(line: str, characters: int, units: Units) -> int:
    """How many units the first `characters` characters of `line` take."""
    if line.isascii() or units == "utf-32":
        return min(characters, len(line))
    before = line[:characters]
    if units == "utf-8":
        return len(before.encode("utf-8", "surrogatepass"))
    return len(before) + sum(1 for character in before if character > "\uffff")


def characters_before(line: str, count: int, units: Units) -> int:
    """How many whole characters of `line` lie in its first `count` units; past the end means the end.

    A count that falls inside a character (half a surrogate pair) means the start of that character.
    """
    if line.isascii() or units == "utf-32":
        return min(count, len(line))
    if units == "utf-8":
        encoded = LONE_SURROGATE.sub("\ufffd", line).encode("utf-8")
        return len(encoded[:count].decode("utf-8", "ignore"))
    taken = 0
    for index, character in enumerate(line):
        taken += 2 if character > "\uffff" else 1
        if taken > count:
            return index
    return len(line)


class LineTable:
    """The lines of one text. Everything is computed when first asked for and kept."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """The offset in characters at which each line starts."""
        if "\r" in self.text:
            return [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        return list(accumulate((len(line) + 1 for line in self.lines[:-1]), initial=0))

    def line(self, number: int) -> str:
        """The text of line `number` (from 1) without its ending; empty beyond the text."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    def offset(self, line: int, column: int) -> int:
        """The offset in the text of a line and column counted from 1; a column past the end means the line's end."""
        if line > len(self.lines):
            return len(self.text)
        return self.starts[line - 1] + min(column - 1, len(self.lines[line - 1]))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset in the text."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def column(self, line: int, byte: int) -> int:
        """The column (from 1, in characters) of the `ast` column `byte` (from 0, in UTF-8 bytes)."""
        if self.text.isascii():
            return byte + 1
        return characters_before(self.line(line), byte, "utf-8") + 1

    def to_protocol(self, line: int, column: int, units: Units) -> tuple[int, int]:
        """Line and character of the language server protocol for a line and column counted from 1."""
        if self.text.isascii():
            return line - 1, column - 1
        return line - 1, units_before(self.line(line), column - 1, units)

    def from_protocol(self, line: int, character: int, units: Units) -> tuple[int, int]:
        """Line and column counted from 1; a character past the end means the line's end, a line past it the text's."""
        if line >= len(self.lines):
            return len(self.lines), len(self.lines[-1]) + 1
        return line + 1, characters_before(self.lines[line], character, units) + 1
