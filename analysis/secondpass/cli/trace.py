"""`secondpass trace SCRIPT [ARGS...]`: run a program for a few steps under the recorder and tell what it did.

The program's own output goes where it would have gone: to stdout and stderr, while it runs. The table and the stories
follow on stdout once it has ended; `--output` keeps the record for `check --trace`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .boundary import FINDINGS, NOTHING, WRONG_USE, UsageError
from .parser import Parser, positive


def run(arguments: Sequence[str]) -> int:
    options = _parser().parse(arguments)
    from ..trace import show
    from ..trace.record import TraceError, save
    from ..trace.runner import Bounds, trace_command

    try:
        trace = trace_command(
            ["-m", *options.module, *options.command] if options.module else options.command,
            bounds=Bounds(
                iterations=options.turns,
                timeout=options.timeout,
                memory=options.memory * 1_000_000 if options.memory else None,
            ),
            python=options.python,
            cells=options.cells,
            call=options.call,
            heard=_pass_on,
            told=_tell if sys.stderr.isatty() else None,
        )
        if options.output:
            save(trace, options.output)
    except TraceError as error:
        raise UsageError(str(error)) from None
    if trace.outcome.reason == "refused":
        return WRONG_USE  # the recorder has said why on the program's stderr
    show.render(trace, sys.stdout)
    if trace.outcome.reason in ("no-torch", "killed"):
        return WRONG_USE
    if trace.raised:
        return FINDINGS
    if trace.outcome.reason == "raised" and not trace.backward_count:
        return WRONG_USE  # it failed before there was anything to record: not a clean run
    return NOTHING


def _pass_on(stream: str, chunk: bytes) -> None:
    target = sys.stderr if stream == "stderr" else sys.stdout
    target.buffer.write(chunk)
    target.flush()


def _tell(line: str) -> None:
    print(f"secondpass: {line}", file=sys.stderr)


def _cells(word: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in word.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes indices of cells like 0,1,2,1, not `{word}`") from None


def _parser() -> Parser:
    parser = Parser(
        "secondpass trace",
        "Run a program for a few steps under the recorder: this executes it, with its arguments, as you would.",
    )
    parser.add_argument("--turns", type=positive, default=50, metavar="N", help="stop after N backward calls (50)")
    parser.add_argument("--timeout", type=positive, default=60, metavar="S", help="stop after S seconds (60)")
    parser.add_argument(
        "--memory", type=positive, metavar="MB", help="stop above so many megabytes (four fifths of what is free)"
    )
    parser.add_argument("--output", metavar="FILE", help="write the record as JSON, for check --trace")
    parser.add_argument("--python", metavar="PATH", help="the interpreter to run it with")
    parser.add_argument("--cells", type=_cells, metavar="LIST", help="the order in which to run a notebook's cells")
    parser.add_argument("--call", metavar="NAME", help="a function of the script to call, without arguments")
    parser.add_argument(
        "-m", dest="module", nargs=argparse.REMAINDER, metavar="MODULE", help="a module to run, with its arguments"
    )
    parser.add_argument(
        "command",
        nargs=argparse.REMAINDER,
        metavar="SCRIPT [ARGS...]",
        help="a script, a notebook, or torchrun ...; after -- if it starts with a dash",
    )
    return parser
