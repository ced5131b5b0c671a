"""What a raised exception says: whether it is one of the two errors, and which lines of the user's code it passed."""

from __future__ import annotations

import linecache
import os
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType

SECOND_TIME = "backward through the graph a second time"
IN_PLACE = "modified by an inplace operation"
INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's code; in a notebook within its cell (from 0)."""

    path: str
    line: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Surfaced:
    """One of the two errors: which, the user's lines it passed (innermost first) and the texts they are in, by path."""

    message: str
    places: tuple[Place, ...]
    texts: dict[str, str]
    """In the order in which the program came to them: that which was started is the first."""

    @property
    def in_place(self) -> bool:
        return IN_PLACE in self.message


CellOf = Callable[[FrameType, int], Place | None]
"""Gives a notebook's place for a frame at a line, or None if the frame is not in a cell."""


def surfaced(
    error: BaseException, cell_of: CellOf | None = None, cells: tuple[str, str] | None = None
) -> Surfaced | None:
    """What there is to explain of an exception; None, quickly, for any that is not one of the two errors.

    For a notebook `cells` is the path and text of its cells, and `cell_of` knows which frames are in them.
    """
    raised = next((e for e in _chain(error) if isinstance(e, RuntimeError) and _told_in(str(e))), None)
    if raised is None:
        return None
    places: list[Place] = []
    texts: dict[str, str] = {}
    for frame, line in _frames(raised.__traceback__):
        place = cell_of(frame, line) if cell_of is not None else None
        if place is not None and cells is not None:
            places.append(place)
            texts.setdefault(*cells)
        elif _of_the_user(frame) and (text := _text_of(frame)):
            path = shown(frame.f_code.co_filename)
            places.append(Place(path, line))
            texts.setdefault(path, text)
    return Surfaced(str(raised), tuple(reversed(places)), texts)


def shown(filename: str) -> str:
    """A path as a person would write it: from the current folder where it lies below it."""
    if not os.path.isabs(filename):
        return filename
    try:
        relative = os.path.relpath(filename)
    except (OSError, ValueError):  # another drive, or the current folder is gone
        return filename
    return filename if relative.startswith(os.pardir) else relative


def _told_in(message: str) -> bool:
    return SECOND_TIME in message or IN_PLACE in message


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it was raised from, as a traceback shows them."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _frames(traceback: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while traceback is not None:
        yield traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next


def _of_the_user(frame: FrameType) -> bool:
    """Whether a frame is in code of the user's own: not installed, Python's, PyTorch's (built in place) or ours."""
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] in ("torch", "secondpass"):
        return False
    filename = frame.f_code.co_filename
    if filename.startswith("<frozen") or any(part in INSTALLED for part in filename.replace("\\", "/").split("/")):
        return False
    return not filename.startswith(os.path.join(sysconfig.get_path("stdlib"), ""))


def _text_of(frame: FrameType) -> str:
    """The source a frame was compiled from, as Python shows it in tracebacks: from disk, a loader or memory."""
    return "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
