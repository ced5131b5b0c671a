"""Printing styled lines: plain where the output is a file or a pipe, with colour where it is a terminal that has it.

NO_COLOR (any value) turns colour off and FORCE_COLOR (any value but "" and "0") turns it on, in this order. The styles
use the terminal's own sixteen colours, which its owner has chosen to suit a light or a dark background.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import TextIO

from .snippet import Styled
from .text import plain

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "information": "bold cyan",
    "hint": "bold green",
    "gutter": "blue",
    "secondary": "blue",
    "bold": "bold",
    "add": "green",
    "remove": "red",
    "good": "green",
    "code": "cyan",
    "dim": "dim",
}


def coloured(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int | None:
    """The terminal's width in cells; None for files and pipes, whose lines are left long."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


COLOURS = ("auto", "always", "never")


def show(lines: Iterable[Styled], stream: TextIO, colour: str = "auto") -> None:
    """Print styled lines, in colour as one of COLOURS says; rich is loaded only for colour."""
    if colour == "never" or (colour == "auto" and not coloured(stream)):
        stream.write(plain(list(lines)))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, force_terminal=True, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((text, STYLES.get(style, "")) for text, style in line)))
