"""Faults of our own: the one function that meets them, so that one file's trouble is told and the rest goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
REPORT_AT = "https://github.com/secondpass/secondpass/issues"


def guarded(work: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """The result of `work`; of `otherwise(one line)` if it fails. `SECONDPASS_DEBUG=1` lets the failure through."""
    try:
        return work()
    except Exception as fault:
        if os.environ.get("SECONDPASS_DEBUG"):
            raise
        return otherwise(f"internal fault, not your program's: {describe(fault)}; please report it at {REPORT_AT}")


def describe(fault: BaseException) -> str:
    """A failure in one line."""
    return " ".join(f"{type(fault).__name__}: {fault}".split())
