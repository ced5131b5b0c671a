"""Python's cyclic collector, held off while a check runs.

A check makes many small objects and drops them together at its end. Collecting in between only costs time, and so does
collecting at the end what reference counts free by themselves.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_off() -> Iterator[None]:
    """No cyclic collection inside; nested uses are the outermost one's."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def sweep(*, everything: bool) -> None:
    """Collect what hangs together in circles: of what was made since the last sweep, or of everything."""
    gc.collect(2 if everything else 0)
