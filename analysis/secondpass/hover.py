"""What a variable, a call or a flag is, at one place of the program: the text of a hover.

The machine runs the file once more with that one expression watched. The first line stands alone (some editors show no
more); what follows tells the turns apart, names the finding that concerns the place, and says what was not understood.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from secondpass.collecting import held_off
from secondpass.engine import MARKER, parse, project_of, run_source
from secondpass.findings import Finding, Report, Span
from secondpass.settings import Settings

if TYPE_CHECKING:
    from secondpass.machine.record import Record
    from secondpass.machine.sighting import Sighting
    from secondpass.source.source import Source


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown whose first line stands alone, and the place it is about."""

    markdown: str
    span: Span


def hover(
    text: str,
    path: str,
    line: int,
    column: int,
    cell: int | None = None,
    settings: Settings | None = None,
    texts: Mapping[str, str] | None = None,
) -> Hover | None:
    """What stands at a place (from 1, in characters; in a notebook within its cell), or None.

    `texts` is the unsaved text of other files, as in `check_text`.
    """
    if MARKER.search(text) is None:
        return None
    from secondpass.source.errors import SourceError

    try:
        source = parse(text, path)
    except SourceError:
        return None
    node = expression_at(source, source.joined_line(cell, line), column)
    if node is None:
        return None
    report = Report()
    with held_off():
        outcome = run_source(source, settings or Settings(), report, project_of(source, texts), _watched(node))
    record = outcome.paths[0].record
    told = _describe(source, node, record)
    span = source.span(node)
    about = [f for f in report.findings if _concerns(f, span)]
    if told is None and not about:
        return None
    lines = [f"**{about[0].rule}**: {about[0].message}"] if about else []
    if about and about[0].help:
        lines += ["", f"*{about[0].help}*"]
    lines += [*([""] if lines and told else []), *(told or [])]
    return Hover("\n".join(lines), span)


def _watched(node: ast.AST) -> ast.AST:
    """The expression whose values answer for a place: for a keyword or a method's name, the object it is about."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value
    return node


def expression_at(source: Source, line: int, column: int) -> ast.expr | None:
    """The smallest name, attribute or call at a place: a name inside a chain stands for the chain up to it."""
    table = source.table
    best: ast.expr | None = None
    for node in ast.walk(source.tree):
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            continue
        end_line, end = node.end_lineno or 0, table.column(node.end_lineno or 1, node.end_col_offset or 0)
        start = table.column(node.lineno, node.col_offset)
        if not ((node.lineno, start) <= (line, column) and (line, column) <= (end_line, end)):
            continue
        if isinstance(node, ast.Attribute):
            tail = end - len(node.attr)
            if not (line == end_line and tail <= column):
                continue
        if isinstance(node, ast.Call):
            head = node.func
            last = table.column(head.end_lineno or 1, head.end_col_offset or 0)
            inside = (
                isinstance(head, ast.Attribute) and line == head.end_lineno and last - len(head.attr) <= column <= last
            )
            if not inside:
                continue
        if isinstance(best, ast.Call) and best.func is node:
            continue
        if best is None or _size(node) <= _size(best) or isinstance(node, ast.Call):
            best = node
    return best


def _size(node: ast.expr) -> tuple[int, int]:
    return (node.end_lineno or 0) - node.lineno, (node.end_col_offset or 0) - node.col_offset


def _concerns(finding: Finding, span: Span) -> bool:
    places = [finding.span, *(s.span for s in finding.witness)]
    return any(
        p.path == span.path
        and p.cell == span.cell
        and (p.line, p.column) <= (span.line, span.column)
        and (span.end_line, span.end_column) <= (p.end_line, p.end_column)
        for p in places
    )


def _describe(source: Source, node: ast.expr, record: Record) -> list[str] | None:
    text = source.segment(node if not isinstance(node, ast.Call) else node.func)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        method = node.func.attr
        owner = source.segment(node.func.value)
        if method == "backward":
            return _backward(source, node, record, owner)
        if method in ("detach", "detach_", "item"):
            return _cut(node, record, owner, method)
    if text.endswith(("no_grad", "inference_mode")):
        return [f"`{text}`: what is computed inside has no history; graphs made outside stay as they are"]
    if not record.seen:
        return None
    last = record.seen[-1]
    if last.kind in ("constant", "other", "module"):
        return None
    if last.kind == "unknown":
        return [f"`{text}`: not known: it comes from code that the analysis cannot see"]
    lines = [f"`{text}`: {_state(source, last)}"]
    by_turn = _by_turn(record.seen)
    if len(by_turn) > 1:
        lines.append("")
        lines += [f"- turn {turn}: {_state(source, seen)}" for turn, seen in by_turn]
    if last.node is not None:
        lines += [
            "",
            f"A walk from here goes through {_count(last.nodes, 'node')} to {_count(last.leaves, 'leaf', 'leaves')}.",
        ]
    return lines


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _by_turn(seen: list[Sighting]) -> list[tuple[int, Sighting]]:
    """The last sighting of each turn of the innermost loop, a few turns at most."""
    found: dict[int, Sighting] = {}
    for one in seen:
        if one.turns:
            found[one.turns[-1][1]] = one
    return list(found.items())[:4]


def _state(source: Source, seen: Sighting) -> str:
    if seen.node is None:
        if seen.kind == "parameter":
            return "a leaf that requires grad: walks end here and fill `.grad`"
        return "no history: no walk goes back from here"
    built = f"built at {_line(source, seen.node.site)}"
    earlier = bool(seen.turns) and bool(seen.node.turns) and seen.node.turns != seen.turns
    when = " in an earlier turn" if earlier else ""
    if seen.consumed is not None and seen.stale is not None:
        where = _line(source, seen.consumed.site)
        if seen.stale is seen.node or seen.node.consumed is seen.consumed:
            return f"its graph ({built}{when}) was consumed at {where}: a walk that reaches it raises"
        old = _line(source, seen.stale.site)
        return f"{built}, but it reaches the graph of {old}, consumed at {where}: a walk from here raises"
    if earlier and seen.node.turns[: len(seen.turns)] != seen.turns[: len(seen.node.turns)]:
        return f"carries a live graph, {built}{when}"
    return f"live graph of this turn, {built}" if seen.turns else f"live graph, {built}"


def _line(source: Source, site: ast.AST) -> str:
    unit: Source = site.unit  # type: ignore[attr-defined]
    line = f"line {unit.span(site).line}"
    return line if unit is source else f"{line} of {PurePath(unit.path).name}"


def _backward(source: Source, node: ast.Call, record: Record, owner: str) -> list[str] | None:
    walks = [w for w in record.walks if w.site is node]
    if not walks:
        return None
    first = walks[0]
    if not first.retain:
        return [f"`{owner}.backward()`: walks {_count(first.executed, 'node')} and frees what they saved"]
    if any(w.needed for w in walks):
        return [
            f"`{owner}.backward(retain_graph=True)`: a later walk goes through this graph again, so it must be kept"
        ]
    return [f"`{owner}.backward(retain_graph=True)`: nothing walks this graph again; keeping it only costs memory"]


def _cut(node: ast.Call, record: Record, owner: str, method: str) -> list[str]:
    attached = [s for s in record.seen if s.node is not None]
    if method == "item":
        return [f"`{owner}.item()`: a Python number, without history"]
    if method == "detach" and any(site is node for site in record.discarded_cuts):
        return [f"`{owner}.detach()`: its result is thrown away, `{owner}` keeps its graph"]
    if record.seen and not attached:
        return [f"`{owner}.{method}()`: `{owner}` has no history here, nothing is cut"]
    if method == "detach_":
        return [
            f"`{owner}.detach_()`: cuts `{owner}` itself; it raises on a view, `{owner} = {owner}.detach()` does not"
        ]
    return [f"`{owner}.detach()`: the same values without history; `{owner}` itself keeps its graph"]
