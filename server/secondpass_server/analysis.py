"""The door to the analyser: the only file of the server that imports `secondpass`.

`Analysis` is all the server ever asks of it. The worker process holds one, found by name (`MODULE:NAME`), so that a
test can put another in its place; `Installed` is the one that people get.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from secondpass.findings import Edit, FileError, Finding, Fix, RaisesAt, Report, Severity, Span, Step, TraceVerdict
from secondpass.hovers.table import NOTHING as NO_HOVERS
from secondpass.hovers.table import Hover, Hovers
from secondpass.live import Live
from secondpass.settings import Budget, Settings
from secondpass.source.positions import LineTable, Units

if TYPE_CHECKING:
    from secondpass.fixes.proof import Ran

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
    complaints: tuple[str, ...] = ()
    """One line for each thing that is wrong in the configuration."""


class Analysis(Protocol):
    """What the server asks. A fault is an exception; the server logs one line and keeps the last good outcome."""

    def check(self, unit: Unit) -> Outcome: ...

    def fixes(self, unit: Unit, finding: Finding) -> tuple[Fix, ...]: ...

    def silencing(self, unit: Unit, finding: Finding) -> Fix | None: ...

    def fixed(self, unit: Unit, fix: Fix) -> dict[str, str]: ...

    def hovers(self, unit: Unit) -> Hovers: ...

    def graph(self, unit: Unit, line: int | None, cell: int | None) -> str: ...

    def explain(self, code: str) -> str: ...

    def traced(self, unit: Unit, trace: str) -> Outcome: ...


class Installed:
    """The analysis of the `secondpass` that is installed. What is heavy is imported when it is first needed."""

    def __init__(self) -> None:
        self._configured: dict[str, tuple[Stamp, Settings, tuple[str, ...]]] = {}
        self._ran: tuple[tuple[str, str, Settings, dict[str, str]], Ran | None] | None = None
        """The run that fixes were last looked for in: a text's findings are asked about one after the other."""
        self._live = Live()

    def check(self, unit: Unit) -> Outcome:
        settings, complaints = self._settings(unit)
        if excluded(unit, settings):
            return Outcome(Report(files=1), complaints=complaints)
        report = self._live.check(unit.text, unit.path, settings, unit.open_texts)
        return Outcome(report, tuple(marks(report)), complaints)

    def fixes(self, unit: Unit, finding: Finding) -> tuple[Fix, ...]:
        from secondpass.fixes.offer import fixes_in

        settings, _ = self._settings(unit)
        ran = self._run(unit, settings)
        return fixes_in(ran, finding, settings) if ran is not None else ()

    def silencing(self, unit: Unit, finding: Finding) -> Fix | None:
        from secondpass.fixes.suppress import suppression
        from secondpass.source.source import parse

        path = finding.span.path
        key, ran = self._ran or (None, None)
        if ran is not None and path == unit.path and key == self._key(unit, self._settings(unit)[0]):
            return suppression(ran.source, finding)  # parsed for the fixes
        text = unit.text if path == unit.path else unit.open_texts.get(path)
        return suppression(parse(text, path), finding) if text is not None else None

    def fixed(self, unit: Unit, fix: Fix) -> dict[str, str]:
        """The text of the file that a fix changes, by its path."""
        from secondpass.fixes.apply import apply_fix

        ran = self._run(unit, self._settings(unit)[0])
        return {fix.edits[0].span.path: apply_fix(ran, unit.text, fix)} if ran is not None else {}

    @staticmethod
    def _key(unit: Unit, settings: Settings) -> tuple[str, str, Settings, dict[str, str]]:
        """What a run hangs on."""
        return unit.path, unit.text, settings, dict(unit.open_texts)

    def _run(self, unit: Unit, settings: Settings) -> Ran | None:
        from secondpass.fixes.proof import run

        key = self._key(unit, settings)
        if self._ran is None or self._ran[0] != key:
            self._ran = (key, run(unit.text, unit.path, settings, texts=unit.open_texts))
        return self._ran[1]

    def hovers(self, unit: Unit) -> Hovers:
        """The hovers of a text; their run, which watches all expressions, serves fixes as well."""
        from secondpass.hovers import hovers_in, seen_in

        settings, _ = self._settings(unit)
        if excluded(unit, settings):
            return NO_HOVERS
        ran = seen_in(unit.text, unit.path, settings, unit.open_texts)
        self._ran = (self._key(unit, settings), ran)
        return hovers_in(ran) if ran is not None else NO_HOVERS

    def graph(self, unit: Unit, line: int | None, cell: int | None) -> str:
        from secondpass.report.graph_model import picture_of
        from secondpass.report.lines import lines_of
        from secondpass.report.picture import html

        settings, _ = self._settings(unit)
        findings = [
            one for one in self._live.check(unit.text, unit.path, settings, unit.open_texts).findings if one.witness
        ]
        if not findings:
            raise LookupError(f"nothing to draw, no graph in {Path(unit.path).name} is walked twice")

        def distance(finding: Finding) -> int:
            spans = [finding.span, *(step.span for step in finding.witness)]
            here = [span for span in spans if span.path == unit.path and span.cell == cell]
            return min((abs(span.line - (line or span.line)) for span in here), default=10**9)

        return html(picture_of(min(findings, key=distance), lines_of({unit.path: unit.text})))

    def explain(self, code: str) -> str:
        from secondpass import explain

        return explain(code)

    def traced(self, unit: Unit, trace: str) -> Outcome:
        from secondpass.trace.reconcile import reconcile_file

        outcome = self.check(unit)
        return replace(outcome, report=reconcile_file(outcome.report, trace))

    def _settings(self, unit: Unit) -> tuple[Settings, tuple[str, ...]]:
        """The project's settings with the client's on top, and one line for each thing wrong in them.

        Configuration files are read again only when one of them changed.
        """
        from secondpass.project.config import Configurations, from_mapping
        from secondpass.rules import NAMES

        folder = Path(unit.path).parent if Path(unit.path).is_absolute() else Path(unit.folder or "/")
        now = stamp(folder)
        known = self._configured.get(str(folder))
        if known is None or known[0] != now:
            configurations = Configurations(NAMES)
            settings = configurations.of(folder)
            problems = tuple(f"{one.path}:{one.line}: {one.message}" for one in configurations.problems)
            known = self._configured[str(folder)] = (now, settings, problems)
        _, settings, complaints = known
        if unit.client:
            wished, wrong = from_mapping(unit.client, NAMES)
            settings = on_top(settings, wished, Path(unit.folder) if unit.folder else None)
            complaints = (*complaints, *(f"secondpass.{key}: {message}" for key, message in wrong))
        return settings, complaints


def on_top(settings: Settings, wished: Settings, folder: Path | None) -> Settings:
    """The project's settings and an editor's together, as the command line adds its options to a project's.

    Editors send every key there is: an empty value says nothing.
    """
    return replace(
        settings,
        select=wished.select or settings.select,
        ignore=(*settings.ignore, *wished.ignore),
        exclude=(*settings.exclude, *wished.exclude),
        severity={**settings.severity, **wished.severity},
        budget=wished.budget if wished.budget != Budget() else settings.budget,
        root=settings.root or folder,
    )


Stamp = tuple[tuple[str, int], ...]


def stamp(folder: Path) -> Stamp:
    """Which configuration files lie in a folder and above it, and when each was changed."""
    found = []
    for above in (folder, *folder.parents):
        for name in ("secondpass.toml", "pyproject.toml"):
            with suppress(OSError):
                found.append((str(above / name), (above / name).stat().st_mtime_ns))
    return tuple(found)


def excluded(unit: Unit, settings: Settings) -> bool:
    """Whether the settings say not to check this file."""
    if not settings.exclude:
        return False  # and pathspec stays unloaded
    from secondpass.project.files import is_excluded

    return is_excluded(Path(unit.path), settings)


def marks(report: Report) -> Iterator[Inlay]:
    """A mark behind each name that carries a graph into the next iteration of a loop."""
    seen = set()
    for finding in report.findings:
        for step in finding.witness:
            place = (step.span.end_line, step.span.end_column, step.span.cell)
            if step.role == "carried" and step.span.path == finding.span.path and place not in seen:
                seen.add(place)
                yield Inlay(*place[:2], "⟲", step.text, step.span.cell)


def interpreter(python: str, script: Path) -> tuple[str, str]:
    """The Python that would run a script, given the one that was set (empty for none), and why it is that one.

    Raises `LookupError` with one line if there is none.
    """
    from secondpass.trace.interpreter import choose
    from secondpass.trace.record import TraceError

    try:
        chosen = choose(python or None, script.parent)
    except TraceError as error:
        raise LookupError(str(error)) from None
    return chosen.path, chosen.why


def load(name: str) -> Analysis:
    """The analysis called `MODULE:NAME`."""
    module, _, attribute = name.partition(":")
    made: Analysis = getattr(import_module(module), attribute)()
    return made


__all__ = [
    "INSTALLED",
    "NO_HOVERS",
    "Analysis",
    "Edit",
    "FileError",
    "Finding",
    "Fix",
    "Hover",
    "Hovers",
    "Inlay",
    "LineTable",
    "Outcome",
    "RaisesAt",
    "Report",
    "Severity",
    "Span",
    "Step",
    "TraceVerdict",
    "Unit",
    "Units",
    "interpreter",
    "load",
]
