"""How many terminal cells text takes, and how a source line is laid out in them.

Terminals draw East Asian wide characters and emoji in two cells, combining marks in none, and a tab as a jump; an
underline is right only when it counts cells. Control characters are drawn as visible pictures, so that a source file
cannot steer the reader's terminal.
"""

from __future__ import annotations

import unicodedata

TAB = "    "
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def width(character: str) -> int:
    """Cells one printable character takes: 0, 1 or 2."""
    if character.isascii():
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cells(text: str) -> int:
    return len(text) if text.isascii() else sum(map(width, text))


def visible(character: str) -> str:
    """The character as it may safely be drawn."""
    if character == "\t":
        return TAB
    if ord(character) < 32:
        return chr(0x2400 + ord(character))
    if character == "\x7f":
        return "\u2421"
    if 0x80 <= ord(character) < 0xA0 or character in _BIDI or character in "\u2028\u2029":
        return "\ufffd"
    return character


def one_line(text: str) -> str:
    """Prose on one line, without characters that could steer a terminal."""
    return "".join(" " if character in "\n\r\t" else visible(character) for character in text)


class Laid:
    """A source line laid out in cells: `text` is what to draw, `column(n)` where character n starts."""

    def __init__(self, line: str) -> None:
        line = line.rstrip()
        pieces = [visible(character) for character in line]
        self.text = "".join(pieces)
        starts = [0]
        for piece in pieces:
            starts.append(starts[-1] + cells(piece))
        self._starts = starts
        self.indent = starts[len(line) - len(line.lstrip())]
        self.width = starts[-1]

    def column(self, number: int) -> int:
        """The 0-based cell of 1-based character `number`; past the end, one cell a character."""
        index = max(number - 1, 0)
        if index < len(self._starts):
            return self._starts[index]
        return self.width + index - (len(self._starts) - 1)
