"""`secondpass fix`: apply the preferred proved fix of each finding until none is left, and say what was done.

With `--prove` the program is run with each fix in a copy, and the first fix that runs is the preferred one.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ..report.cells import one_line
from ..report.text import place
from .boundary import FINDINGS, NOTHING, WRONG_USE, UsageError
from .parser import Parser, positive
from .wishes import add_rule_options, codes, settings_for

if TYPE_CHECKING:
    from ..findings import Finding
    from ..fixes.apply import Choose, Fixed
    from ..trace.trial import Prover


def run(arguments: Sequence[str]) -> int:
    parser = Parser("secondpass fix", "Apply the preferred fix of each finding until none is left.")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    parser.add_argument("--rule", action="append", default=[], metavar="CODES", help="only fixes of these rules")
    parser.add_argument("--unsafe", action="store_true", help="also fixes that change gradients")
    parser.add_argument("--diff", action="store_true", help="show the changes and write nothing")
    parser.add_argument(
        "--prove",
        action="store_true",
        help="run the program with each fix, in a copy, and prefer what runs (after -- what to run; else the file)",
    )
    parser.add_argument(
        "--timeout", type=positive, metavar="S", help="with --prove: stop each run after S seconds (60)"
    )
    add_rule_options(parser)
    ours, program = _split(arguments)
    options = parser.parse(ours)
    if options.timeout and not options.prove:
        raise UsageError("--timeout bounds the runs of --prove: give both (see `secondpass fix --help`)")
    # A difference must stay a patch that can be piped on, so what else there is to say goes to stderr.
    told = sys.stderr if options.diff else sys.stdout
    rules, write = codes(options.rule), not options.diff
    if not options.prove:
        return fix(options, options.paths, rules=rules, write=write, told=told)
    prover = _prover(program, options.timeout, told)
    status = fix(options, options.paths, rules=rules, write=write, told=told, choose=prover.choose)
    if prover.failure is not None:
        raise UsageError(prover.failure)
    return status


def fix(
    options: argparse.Namespace,
    paths: Sequence[str],
    *,
    rules: Sequence[str] = (),
    write: bool,
    told: TextIO,
    choose: Choose | None = None,
) -> int:
    """Fix files and print to `told` what was done; without `write`, print the difference it would make to stdout."""
    from ..fixes.apply import fix_paths

    settings = settings_for(options, map(Path, paths))
    outcome = fix_paths(paths, settings, rules=tuple(rules), unsafe=options.unsafe, write=write, choose=choose)
    for fixed in outcome.fixed:
        if write:
            for finding, chosen in fixed.applied:
                print(f"fixed {_at(finding)} {finding.rule}: {one_line(chosen.title)}", file=told)
        else:
            sys.stdout.write(_difference(fixed))
    for finding in outcome.left:
        why = _why_left(finding, options.unsafe, tried=choose is not None)
        print(f"left {_at(finding)} {finding.rule}: {why}", file=told)
    for error in outcome.errors:
        print(f"secondpass: {place(error.path, error.line, None, error.cell)}: {error.message}", file=sys.stderr)
    if outcome.errors and not outcome.files:
        return WRONG_USE
    return FINDINGS if any(finding.severity.serious for finding in outcome.left) else NOTHING


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our own arguments, and with --prove the program after `--`."""
    ours = list(arguments)
    if "--prove" not in ours or "--" not in ours:
        return ours, []
    at = ours.index("--")
    return ours[:at], ours[at + 1 :]


def _prover(program: Sequence[str], timeout: int | None, told: TextIO) -> Prover:
    from ..trace.runner import TIMEOUT, Bounds
    from ..trace.trial import Prover

    def say(line: str) -> None:
        print(line, file=told, flush=True)

    return Prover(say, program, Bounds(timeout=timeout or TIMEOUT))


def _at(finding: Finding) -> str:
    return place(finding.span.path, finding.span.line, finding.span.column, finding.span.cell)


def _why_left(finding: Finding, unsafe: bool, *, tried: bool) -> str:
    if tried and any(unsafe or fix.safety == "safe" for fix in finding.fixes):
        return "none of its fixes was seen to run"
    preferred = next((fix for fix in finding.fixes if fix.preferred), None)
    if preferred is not None and preferred.safety != "safe" and not unsafe:
        return f"{one_line(preferred.title)}: --unsafe applies it"
    if finding.fixes:
        return f"its fixes need your choice: {'; '.join(one_line(fix.title) for fix in finding.fixes)}"
    return "no fix could be proved"


def _difference(fixed: Fixed) -> str:
    lines = difflib.unified_diff(
        fixed.before.splitlines(keepends=True),
        fixed.after.splitlines(keepends=True),
        f"a/{fixed.path}",
        f"b/{fixed.path}",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
