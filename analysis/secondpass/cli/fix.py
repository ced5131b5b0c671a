"""`secondpass fix`: apply the preferred proved fix of each finding until none is left, and say what was done.

With `--prove` the program is run with each fix in a copy, and the first fix that runs is the preferred one.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ..report.cells import one_line
from ..report.text import place
from .boundary import FINDINGS, NOTHING, WRONG_USE, UsageError
from .parser import Parser, one_of, positive
from .wishes import add_rule_options, codes, settings_for

if TYPE_CHECKING:
    from ..findings import Finding
    from ..fixes.apply import Choose, Fixed, Outcome
    from ..trace.trial import Prover


FORMATS = ("text", "json")


def run(arguments: Sequence[str]) -> int:
    parser = Parser("secondpass fix", "Apply the preferred fix of each finding until none is left.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file or a folder; none means the current folder")
    parser.add_argument("--rule", action="append", default=[], metavar="CODES", help="only fixes of these rules")
    parser.add_argument("--unsafe", action="store_true", help="also fixes that change gradients")
    parser.add_argument("--diff", action="store_true", help="show the changes and write nothing; ends with 1 if any")
    parser.add_argument(
        "--output-format", type=one_of("format", FORMATS), default="text", metavar="FORMAT", help=", ".join(FORMATS)
    )
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
    options.paths = options.paths or ["."]
    if options.output_format == "json" and not options.diff:
        raise UsageError("--output-format json shows what --diff would: give both")
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
    if not write and options.output_format == "json":
        sys.stdout.write(_document(outcome))
    for fixed in outcome.fixed:
        if write:
            for finding, chosen in fixed.applied:
                print(f"fixed {_at(finding)} {finding.rule}: {one_line(chosen.title)}", file=told)
        elif options.output_format != "json":
            sys.stdout.write(_difference(fixed))
    for finding in outcome.left:
        why = _why_left(finding, options.unsafe, tried=choose is not None)
        print(f"left {_at(finding)} {finding.rule}: {why}", file=told)
    for error in outcome.errors:
        print(f"secondpass: {place(error.path, error.line, None, error.cell)}: {error.message}", file=sys.stderr)
    if outcome.errors and not outcome.files:
        return WRONG_USE
    if not write and outcome.fixed:
        return FINDINGS
    return FINDINGS if any(finding.severity.serious for finding in outcome.left) else NOTHING


def _document(outcome: Outcome) -> str:
    """What --diff shows, as JSON: each changed file with its patch, what was applied, and what is left."""
    changes = [
        {
            "path": fixed.path,
            "diff": _difference(fixed),
            "applied": [
                {
                    "rule": finding.rule,
                    "line": finding.span.line,
                    "cell": finding.span.cell,
                    "id": fix.id,
                    "title": fix.title,
                }
                for finding, fix in fixed.applied
            ],
        }
        for fixed in outcome.fixed
    ]
    left = [{"rule": f.rule, "path": f.span.path, "line": f.span.line, "cell": f.span.cell} for f in outcome.left]
    return json.dumps({"version": 1, "changes": changes, "left": left}, indent=1) + "\n"


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
    path = fixed.path.lstrip("/")
    lines = difflib.unified_diff(
        fixed.before.splitlines(keepends=True), fixed.after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
