"""`secondpass check`: check files, folders, notebooks or standard input and report what is found."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from ..findings import Report, Severity
from ..report.console import COLOURS
from ..report.lines import lines_of
from ..report.text import place
from ..settings import Settings
from .boundary import FINDINGS, NOTHING, WRONG_USE, UsageError
from .parser import Parser, one_of, positive
from .progress import progress
from .wishes import add_rule_options, settings_for

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
SHOW_FIXES = ("text", "json", "sarif", "github")


def run(arguments: Sequence[str]) -> int:
    options = _parser().parse(arguments)
    paths: list[str] = options.paths or ["."]
    _refuse_what_does_not_go_together(options, paths)
    if options.fix or options.diff:
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
    if options.write_baseline:
        return _write_baseline(report, options.write_baseline, texts)
    if options.baseline:
        from .baseline import known, without

        report = without(report, known(options.baseline), lines_of(texts))
    if options.add_ignore:
        return _add_ignores(report, settings)
    if report.findings and options.output_format in SHOW_FIXES and not options.quiet:
        from .offers import with_fixes

        report = with_fixes(report, texts, settings)
    if options.trace:
        report = _reconciled(report, options.trace)
    _print(report, texts, options)
    return exit_status(report, paths, Severity(options.fail_on), exit_zero=options.exit_zero)


def _refuse_what_does_not_go_together(options: argparse.Namespace, paths: list[str]) -> None:
    """Raises UsageError for paths and options of which one makes no sense beside the other."""
    if "-" in paths and len(paths) > 1:
        raise UsageError("standard input (-) is checked alone, without other paths")
    if paths == ["-"] and (options.fix or options.diff or options.add_ignore):
        raise UsageError("--fix, --diff and --add-ignore need files, standard input has none")
    if options.baseline and options.write_baseline:
        raise UsageError("--baseline compares with a baseline and --write-baseline makes one: give one of them")


def exit_status(
    report: Report, named: Sequence[str], fail_on: Severity = Severity.WARNING, *, exit_zero: bool = False
) -> int:
    """2 when nothing could be read, or not a file that was named; else 1 for findings at `fail_on` or above
    (unless `exit_zero`), else 0. A stray file somewhere below a folder is told, and does not fail the folder."""
    gone = any(path != "-" and not os.path.lexists(path) for path in named)
    if gone or (report.errors and not report.files) or any(path in report.unread for path in named):
        return WRONG_USE
    levels = list(Severity)
    failing = levels[: levels.index(fail_on) + 1]
    return FINDINGS if not exit_zero and any(f.severity in failing for f in report.findings) else NOTHING


def _print(report: Report, texts: Mapping[str, str], options: argparse.Namespace) -> None:
    """Print a report to standard output, or to the file that was asked for."""
    if not options.output_file:
        write_report(report, texts, options, sys.stdout)
        return
    try:
        with Path(options.output_file).open("w", encoding="utf-8", errors="backslashreplace") as file:
            write_report(report, texts, options, file)
    except OSError as error:
        raise UsageError(f"--output-file {options.output_file}: {error.strerror or error}") from None


def write_report(report: Report, texts: Mapping[str, str], options: argparse.Namespace, stream: TextIO) -> None:
    """Print a report in one of FORMATS; each format's module loads only when it is asked for."""
    lines, verbose, quiet = lines_of(texts), options.verbose, options.quiet
    if options.output_format == "text":
        from ..report import text
        from ..report.console import show, width_of

        told = text.render(report, lines, width=width_of(stream), verbose=verbose, quiet=quiet)
        show(told, stream, options.color)
    elif options.output_format == "concise":
        from ..report import concise

        stream.write(concise.render(report, verbose=verbose))
    elif options.output_format == "json":
        from ..report import json

        stream.write(json.render(report, verbose=verbose))
    elif options.output_format == "github":
        from ..report import github

        stream.write(github.render(report, verbose=verbose))
    elif options.output_format == "gitlab":
        from ..report import gitlab

        stream.write(gitlab.render(report, lines))
    elif options.output_format == "junit":
        from ..report import junit

        stream.write(junit.render(report))
    else:
        from .. import __version__
        from ..report import sarif
        from ..rules import RULES

        stream.write(sarif.render(report, lines, RULES, __version__, verbose=verbose))
    if options.statistics:
        stream.write(_statistics(report))


def _statistics(report: Report) -> str:
    """How many findings of each rule there are, the most frequent first."""
    counts = Counter((finding.rule, finding.name) for finding in report.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return "".join(f"{count:6}  {rule} {name}\n" for (rule, name), count in rows)


def _write_baseline(report: Report, file: str, texts: Mapping[str, str]) -> int:
    from .baseline import write

    write(report, file, lines_of(texts))
    print(f"{len(report.findings)} finding{'' if len(report.findings) == 1 else 's'} written to {file}")
    return WRONG_USE if report.errors else NOTHING


def _add_ignores(report: Report, settings: Settings) -> int:
    """Silence every finding that is left by a comment on its line."""
    from ..fixes.apply import silence

    outcome = silence(report.findings, settings)
    for error in (*report.errors, *outcome.errors):
        print(f"secondpass: {place(error.path, error.line, None, error.cell)}: {error.message}", file=sys.stderr)
    for finding in outcome.left:
        span = finding.span
        print(f"left {place(span.path, span.line, span.column, span.cell)} {finding.rule}: no comment can stand there")
    silenced = sum(len(fixed.applied) for fixed in outcome.fixed)
    print(f"{silenced} finding{'' if silenced == 1 else 's'} silenced in {len(outcome.fixed)} files")
    return WRONG_USE if report.errors or outcome.errors else FINDINGS if outcome.left else NOTHING


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
    parser.add_argument("--baseline", metavar="FILE", help="tell only findings that are not in this baseline")
    parser.add_argument("--write-baseline", metavar="FILE", help="write what is found as a baseline, and end with 0")
    parser.add_argument("--add-ignore", action="store_true", help="silence each finding by a comment on its line")
    parser.add_argument(
        "--fail-on",
        type=one_of("level", [level.value for level in Severity]),
        default="warning",
        metavar="LEVEL",
        help="end with 1 for findings of this level or above (warning)",
    )
    parser.add_argument("--exit-zero", action="store_true", help="end with 0 whatever is found")
    parser.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    parser.add_argument("--quiet", action="store_true", help="print findings and problems only")
    parser.add_argument("--output-file", metavar="FILE", help="write the report there, not to standard output")
    parser.add_argument(
        "--color", type=one_of("choice", COLOURS), default="auto", metavar="WHEN", help="auto, always or never"
    )
    parser.add_argument("--stdin-filename", default="<stdin>", metavar="PATH", help="what standard input is called")
    parser.add_argument("--verbose", action="store_true", help="also tell what was cut short or not understood")
    return parser
