"""`secondpass check`: check files, folders, notebooks or standard input and report what is found."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..findings import Report
from ..report.lines import lines_of
from ..settings import Settings
from .boundary import FINDINGS, NOTHING, WRONG_USE, UsageError
from .parser import Parser, one_of, positive
from .progress import progress
from .wishes import add_rule_options, settings_for

FORMATS = ("text", "concise", "json", "sarif", "github")
SHOW_FIXES = ("text", "json", "sarif")


def run(arguments: Sequence[str]) -> int:
    options = _parser().parse(arguments)
    paths: list[str] = options.paths or ["."]
    if "-" in paths and len(paths) > 1:
        raise UsageError("standard input (-) is checked alone, without other paths")
    if options.fix or options.diff:
        if paths == ["-"]:
            raise UsageError("--fix and --diff need files, standard input has none")
        from .fix import fix

        status = fix(options, paths, write=not options.diff, told=sys.stderr)
        if options.diff:
            return status
    texts: dict[str, str] = {}
    settings = settings_for(options, [Path(options.stdin_filename)] if paths == ["-"] else map(Path, paths))
    if paths == ["-"]:
        report = _check_stdin(options.stdin_filename, texts, settings)
    else:
        report = _check_paths(paths, settings, options.jobs, cached=not options.no_cache)
    if report.findings and options.output_format in SHOW_FIXES:
        from .offers import with_fixes

        report = with_fixes(report, texts, settings)
    if options.trace:
        report = _reconciled(report, options.trace)
    write_report(report, texts, options.output_format, verbose=options.verbose)
    # A path that is not there is a mistake in the command, however well the others were read.
    missing = any(path != "-" and not os.path.lexists(path) for path in paths)
    return WRONG_USE if missing else exit_status(report)


def exit_status(report: Report) -> int:
    """1 for findings at warning or above, 2 when nothing could be read, else 0."""
    if report.errors and not report.files:
        return WRONG_USE
    return FINDINGS if any(finding.severity.serious for finding in report.findings) else NOTHING


def write_report(report: Report, texts: Mapping[str, str], output_format: str, *, verbose: bool) -> None:
    """Print a report in one of FORMATS; each format's module loads only when it is asked for."""
    lines = lines_of(texts)
    if output_format == "text":
        from ..report import text
        from ..report.console import show, width_of

        show(text.render(report, lines, width=width_of(sys.stdout), verbose=verbose), sys.stdout)
    elif output_format == "concise":
        from ..report import concise

        sys.stdout.write(concise.render(report, verbose=verbose))
    elif output_format == "json":
        from ..report import json

        sys.stdout.write(json.render(report, verbose=verbose))
    elif output_format == "github":
        from ..report import github

        sys.stdout.write(github.render(report, verbose=verbose))
    else:
        from .. import __version__
        from ..report import sarif
        from ..rules import RULES

        sys.stdout.write(sarif.render(report, lines, RULES, __version__, verbose=verbose))


def _check_paths(paths: Sequence[str], settings: Settings, jobs: int | None, *, cached: bool) -> Report:
    from ..engine import check_paths

    with progress() as told:
        return check_paths(paths, settings, jobs=jobs, progress=told, cached=cached)


def _check_stdin(path: str, texts: dict[str, str], settings: Settings) -> Report:
    from ..engine import check_text
    from ..source.decode import decode
    from ..source.errors import SourceError

    try:
        text, _ = decode(sys.stdin.buffer.read(), path)
    except SourceError as refused:
        return Report(errors=[refused.error])
    texts[path] = text
    return check_text(text, path, settings)


def _reconciled(report: Report, trace: str) -> Report:
    from ..trace.reconcile import reconcile_file

    return reconcile_file(report, trace)


def _parser() -> Parser:
    parser = Parser("secondpass check", "Check files, folders and notebooks; no PATH means the current folder.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument(
        "--output-format", type=one_of("format", FORMATS), default="text", metavar="FORMAT", help=", ".join(FORMATS)
    )
    add_rule_options(parser)
    parser.add_argument("--fix", action="store_true", help="apply the preferred safe fixes, then report what is left")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    parser.add_argument("--unsafe", action="store_true", help="with --fix or --diff: also fixes that change gradients")
    parser.add_argument(
        "--trace", metavar="FILE", help="a recorded run (secondpass trace --output) to judge findings by"
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="processes; by default as many as the work is worth")
    parser.add_argument("--no-cache", action="store_true", help="check every file, also those that have not changed")
    parser.add_argument("--stdin-filename", default="<stdin>", metavar="PATH", help="what standard input is called")
    parser.add_argument("--verbose", action="store_true", help="also tell what was cut short or not understood")
    return parser
