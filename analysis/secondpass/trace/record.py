"""A recorded run as a value: what recorder.py wrote, read back with every field checked. docs/trace.md explains it.

Paths are relative to `cwd` where the file lies below it; lines and iterations count from 1; in a notebook `cell` is the
cell's index from 0 and lines count within it. Unknown keys are ignored, so a newer recorder can add some.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

FORMAT = 1

RaisedKind = Literal["second-time", "inplace-version"]
Reason = Literal["finished", "raised", "turns", "timeout", "memory", "cancelled", "no-torch", "refused", "killed"]


class TraceError(Exception):
    """A recorded run cannot be made or read; the message is one clear line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A statement of the user's, and the iteration of the loop in which it ran."""

    path: str
    line: int
    iteration: int = 1
    end_line: int = 0
    """The statement's last line; 0 when it is `line`."""
    text: str = ""
    function: str = ""
    cell: int | None = None

    def covers(self, path: str, line: int, cell: int | None = None) -> bool:
        return (path, cell) == (self.path, self.cell) and self.line <= line <= max(self.line, self.end_line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A loop's header, and the iteration it is in."""

    path: str
    line: int
    iteration: int = 0
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A name that brought the graph to where it was walked again, and where it was bound."""

    name: str
    path: str
    line: int
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """One autograd node of the graph that was walked; `next` holds the ids of the nodes it was computed from."""

    id: int
    op: str
    path: str = ""
    line: int = 0
    iteration: int = 0
    text: str = ""
    cell: int | None = None
    consumed: bool = False
    raised: bool = False
    next: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """The part of the graph that can be drawn, out of `total` nodes."""

    nodes: tuple[GraphNode, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Place):
    """What changed a saved tensor: an optimizer's step, or a statement that writes in place."""

    optimizer: str | None = None
    parameter: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised(Place):
    """One of the two errors with its story; the place is the innermost line of the user's."""

    kind: RaisedKind
    message: str = ""
    call: str = "backward"
    """`backward`, `grad`, or `read` where a freed tensor was read without a walk."""
    backward: int = 0
    """The number of the call, counted from 1 over the run."""
    retain_graph: bool = False
    node: str | None = None
    """The autograd node that raised."""
    loops: tuple[Loop, ...] = ()
    """Every loop around the call, outermost first."""
    loop: Loop | None = None
    """The loop across whose iterations the graph was carried."""
    chain: tuple[Place, ...] = ()
    """The callers of the line that raised, innermost first."""
    built: tuple[Place, ...] = ()
    consumed: tuple[Place, ...] = ()
    """What freed the graph, or changed it, innermost first, with its callers."""
    carried: tuple[Carrier, ...] = ()
    stepped: tuple[Step, ...] = ()
    inferred: bool = False
    """The consuming call was too long ago to be known; it is the first one after the graph was built."""
    graph: Graph = Graph()
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherError(Place):
    """Another exception that a backward call raised."""

    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backward:
    """One backward or grad call. `walked` and `freed` count nodes; they are taken at the first calls of a line and
    then ever more rarely, and are None in between."""

    n: int
    call: str
    path: str
    line: int
    iteration: int = 1
    function: str = ""
    retain_graph: bool = False
    create_graph: bool = False
    inputs: bool = False
    walked: int | None = None
    freed: int | None = None
    loops: tuple[Loop, ...] = ()
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizerStep:
    path: str
    line: int
    iteration: int = 1
    optimizer: str = ""
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopIterations:
    """A loop of the user's that ran: how often it was begun, and its iterations in all."""

    path: str
    line: int
    starts: int
    iterations: int
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Nodes kept alive by a variable (`held`), or walked by a backward call (`walked`), that rose call by call."""

    kind: Literal["held", "walked"]
    name: str
    path: str
    """Where the variable's function stood when it was counted."""
    line: int
    calls: tuple[int, ...]
    """The ordinals of the backward call at which it was counted."""
    nodes: tuple[int, ...]
    dropped: bool = False
    """Whether the count fell again, or stopped rising half-way."""
    built: tuple[Place, ...] = ()
    """Where the newest node was made, innermost first."""
    function: str = ""
    cell: int | None = None

    @property
    def steady(self) -> bool:
        """Whether it rose with every count from the second on, at least three times, and was never let go."""
        later = self.nodes[1:] if len(self.nodes) > 3 else self.nodes
        rises = len(later) >= 3 and all(after > before for before, after in pairwise(later))
        return rises and not self.dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """The lines of a file (or cell) on which a statement began to run."""

    path: str
    lines: tuple[int, ...]
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the run ended."""

    reason: Reason
    note: str = ""
    exit_code: int | None = None
    """The program's own; None when it did not get to one."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What the program printed: the beginning and the end, and how much it was."""

    text: str = ""
    size: int = 0
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """How one process of a distributed run ended."""

    rank: int
    outcome: Outcome
    raised: bool
    path: str = ""
    line: int = 0
    iteration: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    recorder: int = FORMAT
    python: str = ""
    torch: str | None = None
    executable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One recorded run; with several ranks, `raised` and the rest are of the first rank that raised, else rank 0."""

    raised: Raised | None
    outcome: Outcome
    backwards: tuple[Backward, ...] = ()
    iterations: tuple[LoopIterations, ...] = ()
    growth: tuple[Growth, ...] = ()
    versions: Versions = Versions()
    format: int = FORMAT
    command: tuple[str, ...] = ()
    cwd: str = ""
    errors: tuple[Raised, ...] = ()
    """Every such error in order, also those that the program caught."""
    other_errors: tuple[OtherError, ...] = ()
    backward_count: int = 0
    step_count: int = 0
    steps: tuple[OptimizerStep, ...] = ()
    executed: tuple[Executed, ...] = ()
    ranks: tuple[Rank, ...] = ()
    notes: tuple[str, ...] = ()
    stdout: Output = field(default_factory=Output)
    stderr: Output = field(default_factory=Output)


def load(path: str | Path) -> Trace:
    """Read a recorded run. Raises TraceError with one line that says what is wrong and where."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise TraceError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise TraceError(f"{path} is not a recorded run: it is not UTF-8 text") from None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise TraceError(f"{path} is not a recorded run: it is not JSON{where}") from None
    return parse(value, str(path))


def parse(value: object, path: str) -> Trace:
    """A decoded report as a Trace; `path` names it in the TraceError that a wrong one raises."""
    if not isinstance(value, dict) or "outcome" not in value or "raised" not in value:
        raise TraceError(f"{path} is not a recorded run: write one with `secondpass trace --output FILE SCRIPT`")
    if value.get("format") != FORMAT:
        raise TraceError(f"{path} has format {value.get('format')!r}, this secondpass reads {FORMAT}: record it again")
    try:
        trace = _read(Trace, value, "")
    except _Wrong as wrong:
        raise TraceError(f"{path} is not a recorded run: {wrong}") from None
    assert isinstance(trace, Trace)
    return trace


def dumps(trace: Trace) -> str:
    """The report as JSON text; what is None or empty by nature (a cell, a rank) is left out."""
    return json.dumps(_plain(trace), ensure_ascii=False, indent=1) + "\n"


def save(trace: Trace, path: str | Path) -> None:
    """Write the report. Raises TraceError if the file cannot be written."""
    try:
        Path(path).write_text(dumps(trace), encoding="utf-8")
    except OSError as error:
        raise TraceError(f"{path} cannot be written: {error.strerror or error}") from None


KEYS = {"iteration": "turn", "iterations": "turns"}
"""Fields whose key in the report is another: keys of released formats stay."""


class _Wrong(Exception):
    pass


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        pairs = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {KEYS.get(name, name): _plain(v) for name, v in pairs if not (v is None and name in ("cell", "rank"))}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _read(kind: Any, value: Any, where: str) -> Any:
    """`value` as a `kind` (a dataclass, tuple, union, literal or plain type), or _Wrong with the field's name."""
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise _Wrong(f"`{where}` is not an object")
        return kind(**dict(_fields(kind, value, where)))  # type: ignore[operator]
    if origin in (Union, types.UnionType):
        inner = [k for k in get_args(kind) if k is not type(None)]
        return None if value is None else _read(inner[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _Wrong(f"`{where}` is not a list")
        return tuple(_read(get_args(kind)[0], item, f"{where}[{index}]") for index, item in enumerate(value))
    if origin is Literal:
        if value not in get_args(kind):
            raise _Wrong(f"`{where}` is {value!r:.40}, not one of {', '.join(get_args(kind))}")
        return value
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise _Wrong(f"`{where}` is {value!r:.40}, not {kind.__name__}")
    return value


def _fields(kind: Any, value: dict[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(kind)
    for item in dataclasses.fields(kind):
        key = KEYS.get(item.name, item.name)
        name = f"{where}.{key}" if where else key
        if key in value:
            yield item.name, _read(hints[item.name], value[key], name)
        elif item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING:
            raise _Wrong(f"`{name}` is missing")
