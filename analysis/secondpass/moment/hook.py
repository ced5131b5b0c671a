"""`secondpass.explain_errors()`: a `sys.excepthook` that tells the story below the traceback, after the former hook."""

from __future__ import annotations

import shlex
import sys
from types import TracebackType

from .surfaced import surfaced

TOLD = "_secondpass_told"
"""Set on an exception whose story was told, so that two ways to one terminal tell it once."""


def explain_errors() -> None:
    """From now on, tell why where one of PyTorch's two errors ends the program. Nothing else is changed."""
    former = sys.excepthook
    if getattr(former, "explains", False):
        return

    def explaining(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        former(kind, error, traceback)
        explain(error)

    explaining.explains = True  # type: ignore[attr-defined]
    sys.excepthook = explaining


def explain(error: BaseException) -> None:
    """Tell the story of an exception on stderr, if it is one of the two errors and was not told yet."""
    moment = surfaced(error)
    if moment is None or getattr(error, TOLD, False) or sys.stderr is None:
        return
    setattr(error, TOLD, True)
    from .story import tell

    tell(moment, shlex.join(["secondpass", "trace", *sys.argv]), sys.stderr)
