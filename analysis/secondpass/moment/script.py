"""`secondpass run`: a program as `python` would run it, with its errors explained.

What a program can see of how it was started is as with `python SCRIPT`: `sys.argv`, `sys.path[0]`, `__main__`, the
traceback (none of our frames, none of runpy's) and the exit status.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from types import TracebackType

from .hook import explain

INTERRUPTED = 130


def run_script(path: str, arguments: list[str]) -> int:
    """Run a script (or a folder or zip with a `__main__.py`) to its exit status."""
    # runpy itself puts a folder on the path
    _start_path(None if os.path.isdir(path) else os.path.dirname(os.path.realpath(path)))
    sys.argv = [path, *arguments]
    # `__file__` is absolute, as Python makes it; runpy makes it argv[0] too
    return _run(lambda: runpy.run_path(os.path.abspath(path), run_name="__main__"))


def run_module(name: str, arguments: list[str]) -> int:
    """Run a module as `python -m` does, to its exit status."""
    _start_path(os.getcwd())
    sys.argv = [name, *arguments]
    return _run(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True))


def _start_path(folder: str | None) -> None:
    """What is imported from first: the program's folder, and not that of the console script that started us."""
    if getattr(sys.flags, "safe_path", False):
        return
    if sys.path[:1] == [os.path.dirname(os.path.realpath(sys.argv[0]))]:
        del sys.path[0]
    if folder is not None:
        sys.path.insert(0, folder)


def _run(program: Callable[[], object]) -> int:
    try:
        program()
    except SystemExit:
        raise
    except BaseException as error:
        traceback = error.__traceback__
        while traceback is not None and _before_the_program(traceback):
            traceback = traceback.tb_next
        error.__traceback__ = traceback
        sys.excepthook(type(error), error, traceback)
        explain(error)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _before_the_program(traceback: TracebackType) -> bool:
    name = str(traceback.tb_frame.f_globals.get("__name__", ""))
    return name in ("runpy", __name__)
