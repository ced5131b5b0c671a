"""How a recorded run reads in a terminal: a table of what it did, then each error's story in the form of `check`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..findings import Report
from ..report.console import coloured, show, width_of
from ..report.lines import lines_of
from ..report.text import render_finding
from .reconcile import findings_of
from .record import Backward, Trace

PLAIN_WIDTH = 100
"""Columns of the table where the output is a file or a pipe."""
ROWS = 30
"""Lines with backward calls shown; the rest are counted."""


def render(trace: Trace, stream: TextIO) -> None:
    """Print the table, the notes and the stories."""
    colour = coloured(stream)
    width = width_of(stream)
    console = Console(
        file=stream, width=width or PLAIN_WIDTH, force_terminal=colour, no_color=not colour, highlight=False
    )
    if trace.backwards:
        console.print(_table(trace))
    console.print(_summary(trace), soft_wrap=True)
    for note in trace.notes:
        console.print(Text(f"note: {note}"), soft_wrap=True)
    for error in trace.other_errors:
        console.print(Text(f"also: {error.path}:{error.line}: {error.message}"), soft_wrap=True)
    lines = lines_of()
    for finding in findings_of(trace):
        stream.write("\n")
        show(render_finding(finding, lines, width=width), stream)


def report_of(trace: Trace) -> Report:
    """The run as a report, for the other output formats."""
    return Report(files=len({(row.path) for row in trace.executed}), findings=findings_of(trace))


def _table(trace: Trace) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for heading, justify in [("line", "left"), ("call", "left"), ("calls", "right"), ("iterations", "right")]:
        table.add_column(heading, justify=justify, no_wrap=heading == "line")  # type: ignore[arg-type]
    table.add_column("nodes walked", justify="right")
    table.add_column("")
    rows = list(_rows(trace))
    for row in rows[:ROWS]:
        table.add_row(*row)
    if len(rows) > ROWS:
        table.add_row(f"and {len(rows) - ROWS} more lines", *[""] * 5)
    return table


def _rows(trace: Trace) -> Iterator[list[Text]]:
    """One row a line that walks, in the order of the text."""

    def key(call: Backward) -> tuple[str, int, int, str]:
        return (call.path, -1 if call.cell is None else call.cell, call.line, call.call)

    for (path, _, line, name), group in groupby(sorted(trace.backwards, key=key), key=key):
        calls = list(group)
        cell = calls[0].cell
        place = f"{path}:{line}" if cell is None else f"{path}:cell {cell + 1}:{line}"
        walked = [call.walked for call in calls if call.walked is not None]
        nodes = "" if not walked else str(walked[0]) if min(walked) == max(walked) else f"{walked[0]} to {walked[-1]}"
        options = [o for o in ("retain_graph", "create_graph") if any(getattr(call, o) for call in calls)]
        raised = [error for error in trace.errors if (error.path, error.cell, error.line) == (path, cell, line)]
        told = Text(", ".join(options))
        if raised:
            told = Text(f"raised in iteration {raised[0].iteration}", style="bold red")
        iterations = max(call.iteration for call in calls)
        yield [Text(place), Text(f"{name}()"), Text(str(len(calls))), Text(str(iterations)), Text(nodes), told]


def _summary(trace: Trace) -> Text:
    outcome = trace.outcome
    calls = f"{trace.backward_count} backward call{'' if trace.backward_count == 1 else 's'}"
    steps = f", {trace.step_count} optimizer step{'' if trace.step_count == 1 else 's'}" if trace.step_count else ""
    ended = {
        "finished": "the program finished",
        "raised": "the program raised",
        "refused": "the program could not be run",
        "no-torch": "there is no torch to record",
        "killed": "the program died",
    }.get(outcome.reason, "")
    note = ": ".join(part for part in (ended, "" if trace.raised else outcome.note) if part)
    status = f" (its exit status: {outcome.exit_code})" if outcome.exit_code is not None else ""
    text = Text(f"{calls}{steps} in {outcome.seconds:.1f} s; {note}{status}")
    for rank in trace.ranks:
        said = (
            f"raised at {rank.path}:{rank.line} in iteration {rank.iteration}"
            if rank.raised
            else "raised neither error"
        )
        text.append(f"\nrank {rank.rank}: {said}")
    if trace.versions.torch:
        text.append(f"\ntorch {trace.versions.torch}, Python {trace.versions.python}", style="dim")
    return text
