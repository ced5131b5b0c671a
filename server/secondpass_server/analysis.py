"""The door to the analyser: the only file of the server that imports `secondpass`.

`Analysis` is all the server ever asks of it. The worker process holds one, found by name (`MODULE:NAME`), so that a
test can put another in its place; `Installed` is the one that people get.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from secondpass.findings import Edit, FileError, Finding, Fix, RaisesAt, Report, Severity, Span, Step, TraceVerdict
from secondpass.source.positions import LineTable, Units

INSTALLED = "secondpass_server.analysis:Installed"


@dataclass(frozen=True)
class Unit:
    """One text to analyse as the editor has it: a Python file, or a notebook in its JSON form."""

    path: str
    text: str
    folder: str | None = None
    """The workspace folder it belongs to, from which configuration is looked for; None outside of any."""
    client: Mapping[str, Any] = field(default_factory=dict)
    """The client's settings under `secondpass.`, as sent."""
    open_texts: Mapping[str, str] = field(default_factory=dict)
    """Path to unsaved text of the other open files."""


@dataclass(frozen=True)
class Told:
    """A hover: Markdown whose first line stands alone, and what it is about."""

    markdown: str
    span: Span | None = None


@dataclass(frozen=True)
class Inlay:
    """A short mark after a name, with the longer text that its tooltip shows (Markdown)."""

    line: int
    column: int
    label: str
    tooltip: str = ""
    cell: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What one check of a unit gave."""

    report: Report
    inlays: tuple[Inlay, ...] = ()


class Analysis(Protocol):
    """What the server asks. A fault is an exception; the server logs one line and keeps the last good outcome."""

    def check(self, unit: Unit) -> Outcome: ...

    def fixes(self, unit: Unit, finding: Finding) -> tuple[Fix, ...]: ...

    def hover(self, unit: Unit, line: int, column: int, cell: int | None) -> Told | None: ...

    def graph(self, unit: Unit, line: int | None, cell: int | None) -> str: ...

    def explain(self, code: str) -> str: ...

    def traced(self, unit: Unit, trace: str) -> Outcome: ...


def load(name: str) -> Analysis:
    """The analysis called `MODULE:NAME`."""
    module, _, attribute = name.partition(":")
    made: Analysis = getattr(import_module(module), attribute)()
    return made


__all__ = [
    "INSTALLED",
    "Analysis",
    "Edit",
    "FileError",
    "Finding",
    "Fix",
    "Inlay",
    "LineTable",
    "Outcome",
    "RaisesAt",
    "Report",
    "Severity",
    "Span",
    "Step",
    "Told",
    "TraceVerdict",
    "Unit",
    "Units",
    "load",
]
