"""Run a program: once on the default sides of its undecided branches, then again with each of them turned.

Only branches that were met and that matter are turned, one at a time and in a few patterns (always, only the first
time, ever after the first), within the budget. A function that no run has reached is run as an entry of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from secondpass.machine.compiler.core import Compiler, Scope, Statement
from secondpass.machine.entries import run_entries
from secondpass.machine.machine import Exhausted, Frame, Library, Machine, Modules
from secondpass.machine.record import Record
from secondpass.machine.values import Raised
from secondpass.settings import Budget

SHORT = 150
"""A file of so many lines may have all the paths of the budget."""
Plan = dict[ast.AST, str]
PlanKey = tuple[tuple[ast.AST, str], ...]


@dataclass(slots=True)
class Path:
    """One run of the program: the sides it was told to take, and what it recorded."""

    plan: Plan
    record: Record


@dataclass(slots=True)
class Outcome:
    """Every run of one program and of its entries."""

    paths: list[Path] = field(default_factory=list)
    entries: list[Record] = field(default_factory=list)
    reruns: list[Record] = field(default_factory=list)
    """What running one cell of a notebook again, after all of it, left behind (only cells that then raise)."""
    exhausted: bool = False


def run_program(
    tree: ast.Module,
    unit: Any,
    library: Library,
    budget: Budget,
    modules: Modules | None = None,
    watched: ast.AST | None = None,
    cells: list[list[ast.stmt]] | None = None,
    forgives: Callable[[ast.AST], bool] | None = None,
) -> Outcome:
    """Run a file as a script, in all the ways its choices allow.

    `cells` are the statements of those cells of a notebook that walk a graph: each is also run a second time by itself.
    `forgives` says of a walk's place that a failure there is to be left alone.
    """
    m = Machine(library, budget, modules)
    m.forgives = forgives
    scope = Scope()
    body = Compiler(m, unit, watched).block(tree.body, scope)
    outcome = Outcome()
    queue: list[Plan] = [{}]
    seen: set[PlanKey] = set()
    stories: dict[PlanKey, tuple[object, ...]] = {}
    total = 0
    # Another path runs the whole file again: a long file is given fewer of them.
    most = max(
        min(budget.paths, 3), budget.paths * SHORT // max((len(tree.body) and tree.body[-1].end_lineno) or 1, SHORT)
    )
    while queue and len(outcome.paths) < most:
        plan = queue.pop(0)
        m.reset(plan)
        record = _run(m, body, unit)
        total += m.steps
        outcome.paths.append(Path(plan, record))
        if not plan:
            outcome.entries = list(run_entries(m, unit))
            outcome.exhausted = any(c.what.startswith("steps") for c in record.cuts)
        if total > budget.steps:
            break
        story = _story(record)
        stories[_key(plan)] = story
        for more in _turned(plan, record, m.occurrences, stories, story):
            key = _key(more)
            if key not in seen:
                seen.add(key)
                queue.append(more)
        # Functions and frames hold each other: let go of them here, so that counting references frees the rest.
        m.globals.clear()
    if cells and outcome.paths[0].record.finished:
        outcome.reruns = list(_run_again(m, body, unit, cells))
    m.reset({})
    return outcome


def _run_again(m: Machine, body: Statement, unit: Any, cells: list[list[ast.stmt]]) -> Iterator[Record]:
    """Run the whole, then one cell more: for each cell, from the beginning."""
    for cell in cells:
        m.reset({})
        _run(m, body, unit)
        again = Compiler(m, unit).block(cell, Scope())
        record = Record(entry="")
        m.record, m.walks = record, record.walks
        m.turns, m.chain, m.grad_mode, m.steps = (), None, True, 0
        try:
            again(Frame(m.globals, None, m.globals))
            record.finished = True
        except (Raised, Exhausted, RecursionError):
            pass
        m.globals.clear()
        if record.raises:
            yield record


def _key(plan: Plan) -> PlanKey:
    return tuple(sorted(plan.items(), key=lambda item: id(item[0])))


def _story(record: Record) -> tuple[object, ...]:
    """What matters of a run: which walks it made, how far each went, and what raised."""
    walks = tuple((id(w.site), w.executed, w.retain) for w in record.walks)
    return (walks, tuple((id(r.failure.node.site), id(r.failure.walk.site)) for r in record.raises), record.finished)


def _run(m: Machine, body: Statement, unit: Any) -> Record:
    globals: dict[str, Any] = {"@path": unit.path, "__name__": "__main__"}
    frame = Frame(globals, None, globals)
    m.globals = globals
    record = m.record
    try:
        body(frame)
        record.finished = True
    except Raised as raised:
        record.finished = raised.name == "SystemExit"
    except Exhausted:
        m.cut("steps: the file needs more than the budget", m.site)
    except RecursionError:
        m.cut("the program recurses too deeply", m.site)
    record.choices = list(record.choices)
    return record


def _turned(
    plan: Plan,
    record: Record,
    occurrences: dict[ast.AST, int],
    stories: dict[PlanKey, tuple[object, ...]],
    story: tuple[object, ...],
) -> Iterator[Plan]:
    """The plans worth a run after this one.

    Every choice is turned once for good. Only one that then made a difference is turned in part (the first time, ever
    after the first), or together with another.
    """
    if not plan:
        yield from ({site: "flip"} for site in dict.fromkeys(c.site for c in record.choices))
        return
    if len(plan) > 1 or story == stories[()]:
        return
    ((site, mode),) = plan.items()
    if mode != "flip":
        return
    if occurrences.get(site, 0) > 1:
        yield {site: "rest"}
        yield {site: "first"}
    for other in dict.fromkeys(c.site for c in record.choices):
        if other is not site:
            yield {site: "flip", other: "flip"}
