"""`secondpass COMMAND ...`: find the command, load it alone, run it inside the boundary."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from .boundary import UsageError, run

COMMANDS = {
    "check": "check files, folders, notebooks or standard input",
    "fix": "apply proved fixes until none is left",
    "explain": "what a rule tells, why it raises and how to choose its fix",
    "run": "run a program as Python would, and explain the error where it surfaces",
    "trace": "run a script for a few steps under the recorder",
    "graph": "draw the graph across iterations of a finding",
    "server": "the language server for editors",
}


def main(arguments: Sequence[str] | None = None) -> int:
    return run(lambda: _dispatch(list(sys.argv[1:] if arguments is None else arguments)))


def _dispatch(arguments: list[str]) -> int:
    # Names in a report come from anybody's files: a character that the terminal cannot show must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and arguments[:1] != ["run"]:  # there they are the program's
            stream.reconfigure(errors="backslashreplace")
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0
    command, *rest = arguments
    if command in ("--version", "-V"):
        from .. import __version__

        print(f"secondpass {__version__}")
        return 0
    if command not in COMMANDS:
        from .parser import nearest

        word = "option" if command.startswith("-") else "command"
        hint = nearest(command, [*COMMANDS, "--help", "--version"])
        raise UsageError(f"unknown {word} `{command}`{hint} (see `secondpass --help`)")
    status: int = import_module(f".{command}", __package__).run(rest)
    return status


def _usage() -> str:
    rows = "\n".join(f"  {name:<9}{said}" for name, said in COMMANDS.items())
    return (
        'secondpass finds PyTorch\'s "Trying to backward through the graph a second time" before the run.\n\n'
        f"usage: secondpass COMMAND ...\n\ncommands:\n{rows}\n\n"
        "  secondpass COMMAND --help says more; secondpass --version says which one this is"
    )
