"""IPython's own syntax in a cell, made neutral so that the rest is plain Python at the same places.

Of `%time x = f()` the statement stays where it is, under an `if 1:` as wide as the magic; `!pip install`, `?x` and
other line magics become `pass`; `x = !ls` becomes `x = ...`. A cell magic (`%%time`) is taken off a cell of Python; a
cell in another language (`%%bash`, any magic not known to run Python here) becomes empty lines.
"""

from __future__ import annotations

import re

from .lexing import Reader, indentation
from .positions import split_lines
from .source import quiet_parse

_SUSPECT = re.compile(r"^[ \t]*[%!?]|\?[ \t]*$|=[ \t]*[!%]", re.MULTILINE)
_MAGIC = re.compile(r"[ \t]*(?:%|!|\?)")
_HELP = re.compile(r"[ \t]*[%\w.*]+\?{1,2}[ \t]*\Z")
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[\w., \t\[\]'\"]+?=)[ \t]*(?:!|%\w)")
_RUNS_LINE = re.compile(
    r"[ \t]*(?P<magic>%(?:time|timeit|prun|memit)\b(?:[ \t]+-\w(?:[ \t]*\d+)?)*[ \t]+)(?P<code>\S.*)", re.DOTALL
)
_RUNS_CELL = re.compile(r"%%(?:time|timeit|capture|prun|memit)\b")


def neutralise(text: str) -> str:
    """The text of a cell with as many lines, IPython's syntax replaced by Python that does nothing."""
    if not _SUSPECT.search(text) or _is_python(text):
        return text
    lines = split_lines(text)
    at = next((number for number, line in enumerate(lines) if line.strip()), 0)
    while lines[at].startswith("%%"):
        if not _RUNS_CELL.match(lines[at]):
            return "\n".join(["pass", *[""] * (len(lines) - 1)])
        lines[at] = "pass"
        at = next((number for number in range(at + 1, len(lines)) if lines[number].strip()), at)
    reader = Reader()
    within = False
    for number, line in enumerate(lines):
        if within:  # a magic goes on after a backslash
            within = line.endswith("\\")
            lines[number] = ""
            continue
        if reader.between_statements:
            plain = _plain(line)
            within = plain != line and line.endswith("\\")
            lines[number] = line = plain
        reader.feed(line, number)
    return "\n".join(lines)


def _plain(line: str) -> str:
    """A line that starts a statement, without IPython's syntax."""
    runs = _RUNS_LINE.match(line)
    if runs:
        header = "if 1:".ljust(len(runs["magic"]))
        return f"{indentation(line)}{header}{runs['code']}"
    if _MAGIC.match(line):
        return indentation(line) + "pass"
    assigned = _ASSIGNED.match(line)
    if assigned and not _is_python(line.strip()):
        return assigned["target"] + " ..."
    if _HELP.match(line):
        return indentation(line) + "pass"
    return line


def _is_python(text: str) -> bool:
    try:
        quiet_parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
