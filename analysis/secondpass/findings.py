"""What the analysis tells: findings and what they are made of.

Plain immutable values with no behaviour beyond their own shape. Every part of the house that talks about a finding
(rules, fixes, reports, the server, the recorder's reconciliation) speaks in these words and no others.
Lines and columns count from 1, columns in characters, ends are exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal


class Severity(str, Enum):
    """How sure and how bad: an error will raise; a warning raises under its assumptions or costs memory."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"

    def lowered(self) -> Severity:
        """One step less severe: the price of resting on an assumption."""
        order = list(Severity)
        return order[min(order.index(self) + 1, len(order) - 1)]

    @property
    def serious(self) -> bool:
        """Whether it makes `secondpass check` exit with 1."""
        return self in (Severity.ERROR, Severity.WARNING)


Role = Literal["built", "consumed", "carried", "entered", "walked-again", "retained", "stepped"]
Safety = Literal["safe", "changes-gradients", "costs-memory"]

UNPROVED = " (no edit for it was proved)"
"""How a help ends where fixes were looked for and none is offered."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file; in a notebook `cell` is the cell's index from 0 and lines count within the cell."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a finding's story: what happened at this place in this iteration of the loop (1 is the first)."""

    role: Role
    span: Span
    iteration: int
    text: str


@dataclass(frozen=True, slots=True)
class RaisesAt:
    """The user's line on which PyTorch's exception would surface (the innermost frame in user code), and the
    iteration."""

    path: str
    line: int
    iteration: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `text`; an insertion is an empty span."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that was proved: with it the finding is gone and none is new."""

    id: str
    title: str
    safety: Safety
    preferred: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class TraceVerdict:
    """What a recorded run says of a finding."""

    verdict: Literal["confirmed", "contradicted", "not-reached"]
    iteration: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause, told once."""

    rule: str
    name: str
    severity: Severity
    span: Span
    message: str
    help: str = ""
    assumptions: tuple[str, ...] = ()
    raises_at: RaisesAt | None = None
    witness: tuple[Step, ...] = ()
    loop: Span | None = None
    """The header of the loop across whose iterations the graph is carried, if one is."""
    subject: str = ""
    """The variable, attribute or element that carries the graph, as written (`h`, `self.hidden`); empty if none."""
    entry: str = ""
    """The function that was run by itself, on arguments that are not known, to find this; empty for a real run."""
    fixes: tuple[Fix, ...] = ()
    trace: TraceVerdict | None = None

    def with_fixes(self, fixes: tuple[Fix, ...]) -> Finding:
        """The finding after fixes were looked for, best first: its help and the edit under it say one thing.

        Without a fix the help is what to do by hand, and says that no edit was proved.
        """
        if fixes:
            title = fixes[0].title
            return replace(self, fixes=fixes, help=title[:1].lower() + title[1:])
        unproved = not self.help or self.help.endswith(UNPROVED)
        return replace(self, fixes=(), help=self.help if unproved else self.help + UNPROVED)

    def with_trace(self, trace: TraceVerdict) -> Finding:
        return replace(self, trace=trace)


@dataclass(frozen=True, slots=True)
class FileError:
    """One clear line about a file or place that could not be read or understood."""

    path: str
    line: int
    message: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Backward:
    """Where a call stands that walks a graph; lines count from 1, within the cell in a notebook (cells from 0)."""

    path: str
    line: int
    cell: int | None = None


@dataclass(slots=True)
class Report:
    """The outcome of one check over any number of files."""

    files: int = 0
    findings: list[Finding] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)
    notes: list[FileError] = field(default_factory=list)
    """What was cut short or not understood; shown by --verbose."""
    walked: set[tuple[str, int]] = field(default_factory=set)
    """Path and line of the walks that whole programs made without raising: what is told of an entry is not so there."""
    unread: set[str] = field(default_factory=set)
    """Files that could not be read or parsed; one with a broken statement is read without it."""
    backwards: dict[Backward, str] = field(default_factory=dict)
    """The backward calls, each with why it was not followed; "" where a run came to it with a graph in hand."""
