"""`secondpass graph FILE[:LINE]`: the picture of a finding, or of a recorded run (`--trace`), one column an
iteration."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ..findings import Finding
from ..report.graph_model import GraphPicture, picture_of
from ..report.lines import lines_of
from .boundary import NOTHING, WRONG_USE, UsageError
from .parser import Parser, one_of

FORMATS = ("text", "svg", "html")


def run(arguments: Sequence[str]) -> int:
    parser = Parser("secondpass graph", "Draw the graph across iterations of the finding at FILE, or nearest to LINE.")
    parser.add_argument("place", nargs="?", metavar="FILE[:LINE]")
    parser.add_argument("--trace", metavar="FILE", help="draw the graph of a recorded run (secondpass trace --output)")
    parser.add_argument(
        "--format", type=one_of("format", FORMATS), default="text", metavar="FORMAT", help=", ".join(FORMATS)
    )
    options = parser.parse(arguments)
    if (options.place is None) == (options.trace is None):
        raise UsageError("name a FILE[:LINE] to check, or a record with --trace FILE (see `secondpass graph --help`)")
    if options.trace:
        _draw(_recorded(options.trace), options.format)
        return NOTHING
    path, line = split_place(options.place)
    from ..engine import check_paths
    from .wishes import configured

    report = check_paths([path], configured([Path(path)]))
    for error in report.errors:
        print(f"secondpass: {error.path}:{error.line}: {error.message}", file=sys.stderr)
    if report.errors and not report.files:
        return WRONG_USE
    drawable = [finding for finding in report.findings if finding.witness]
    if not drawable:
        print(f"secondpass: nothing to draw, no graph in {path} is walked twice", file=sys.stderr)
        return NOTHING
    finding = min(drawable, key=lambda finding: distance(finding, path, line))
    others = sorted({f"{path}:{other.span.line}" for other in drawable if other is not finding})
    if others and line is None:
        print(f"secondpass: also at {', '.join(others)}", file=sys.stderr)
    _draw(picture_of(finding, lines_of()), options.format)
    return NOTHING


def split_place(place: str) -> tuple[str, int | None]:
    """`train.py:10` to ("train.py", 10); a file whose own name ends so is taken as it is."""
    match = re.fullmatch(r"(.+):(\d+)", place)
    if match is None or Path(place).exists():
        return place, None
    if int(match[2]) < 1:
        raise UsageError(f"lines count from 1: {place}")
    return match[1], int(match[2])


def distance(finding: Finding, path: str, line: int | None) -> int:
    """How far a line is from the finding's story; without a line all are equally near."""
    if line is None:
        return 0
    spans = [finding.span, *(step.span for step in finding.witness)]
    return min(
        (max(span.line - line, line - span.end_line, 0) for span in spans if span.path == path), default=sys.maxsize
    )


def _recorded(trace: str) -> GraphPicture:
    from ..trace.picture import picture_of_trace
    from ..trace.record import TraceError, load

    try:
        return picture_of_trace(load(trace))
    except TraceError as error:
        raise UsageError(str(error)) from None


def _draw(picture: GraphPicture, output_format: str) -> None:
    if output_format == "text":
        from ..report.console import show, width_of
        from ..report.picture_text import draw

        show(draw(picture, width_of(sys.stdout)), sys.stdout)
        return
    from ..report.picture import html, svg

    sys.stdout.write(svg(picture) if output_format == "svg" else html(picture))
