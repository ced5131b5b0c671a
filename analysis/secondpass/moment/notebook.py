"""`%load_ext secondpass`: in IPython and Jupyter the story stands below the traceback of a cell.

The program is the session: the cells as they were run, in their order, from the shell's memory (they may be on no
disk), joined as a notebook in which cell n is In [n]. Cells that failed for another reason are taken out only if no
finding explains the error otherwise: what they did before they failed may matter.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from .surfaced import Place, Surfaced, surfaced

SESSION = "session.ipynb"
ATTRIBUTE = "_secondpass_former"
TIMED = ("<timed exec>", "<timed eval>")
"""What a cell under `%%time` is compiled as: without its first line, the magic."""


def load_ipython_extension(shell: Any) -> None:
    """Wrap the shell's way to show a traceback; see `unload_ipython_extension`."""
    if hasattr(shell, ATTRIBUTE):
        return
    former: Callable[..., None] = shell.showtraceback
    failed: set[int] = set()

    def showtraceback(exc_tuple: Any = None, *arguments: Any, **options: Any) -> None:
        error = exc_tuple[1] if exc_tuple else sys.exc_info()[1]
        former(exc_tuple, *arguments, **options)
        if error is not None:
            _explain(shell, error, failed)
            failed.add(_current(shell))

    setattr(shell, ATTRIBUTE, former)
    shell.showtraceback = showtraceback


def unload_ipython_extension(shell: Any) -> None:
    if hasattr(shell, ATTRIBUTE):
        shell.showtraceback = getattr(shell, ATTRIBUTE)
        delattr(shell, ATTRIBUTE)


def _explain(shell: Any, error: BaseException, failed: set[int]) -> None:
    moment = _moment(shell, error, set())
    if moment is None:
        return
    from .story import explaining, tell

    if failed and explaining(moment) is None:
        moment = _moment(shell, error, failed) or moment
    tell(moment, "secondpass trace NOTEBOOK.ipynb", sys.stdout, " (cell n is In [n])")


def _current(shell: Any) -> int:
    """The number of the cell that runs, from 1."""
    return len(shell.history_manager.input_hist_raw) - 1


def _moment(shell: Any, error: BaseException, left_out: set[int]) -> Surfaced | None:
    history: list[str] = shell.history_manager.input_hist_raw  # the first is no cell
    cells = [
        {"cell_type": "code", "source": "" if number in left_out else text, "metadata": {}, "outputs": []}
        for number, text in enumerate(history)
        if number
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    def cell_of(frame: FrameType, line: int) -> Place | None:
        name = frame.f_code.co_filename
        current = _current(shell)
        number = current if name in TIMED else getattr(shell.compile, "_filename_map", {}).get(name)
        if number is None or not 0 < number <= current:
            return None
        # IPython compiles a cell without the blank lines at its top
        raw = history[number].split("\n")
        blank = next((index for index, row in enumerate(raw) if row.strip()), 0)
        return Place(SESSION, line + blank + (name in TIMED), number - 1)

    return surfaced(error, cell_of, (SESSION, text))
