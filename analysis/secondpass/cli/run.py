"""`secondpass run SCRIPT [ARGS...]`: run a program as Python would; below one of PyTorch's errors stands why."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from .boundary import UsageError
from .parser import Parser


def run(arguments: Sequence[str]) -> int:
    options = _parser().parse(arguments)
    from ..moment.script import run_module, run_script

    if options.module:
        return run_module(options.module[0], options.module[1:])
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise UsageError("name a script to run (see `secondpass run --help`)")
    if not Path(command[0]).exists():
        raise UsageError(f"{command[0]}: no such file")
    return run_script(command[0], command[1:])


def _parser() -> Parser:
    parser = Parser(
        "secondpass run",
        "Run a program as `python SCRIPT` would. Where PyTorch's error ends it, why stands below the traceback.",
    )
    parser.add_argument(
        "-m", dest="module", nargs=argparse.REMAINDER, metavar="MODULE", help="a module to run, with its arguments"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="SCRIPT [ARGS...]", help="a script to run")
    return parser
