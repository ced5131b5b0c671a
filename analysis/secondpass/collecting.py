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


def sweep() -> None:
    """Collect what was made since the last sweep and hangs together in circles; what outlived one is not looked at."""
    gc.collect(0)
