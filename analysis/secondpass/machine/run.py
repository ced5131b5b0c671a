"""Run a program: once on the default sides of its undecided branches, then again with each of them turned.

Only branches that were met and that matter are turned, one at a time and in a few patterns (always, only the first
time, ever after the first), within the budget. A function that no run has reached is run as an entry of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from secondpass.machine.compiler.core import Compiler, Scope, Statement, empty
from secondpass.machine.entries import Base, Entries
from secondpass.machine.machine import Exhausted, Frame, Library, Machine, Modules
from secondpass.machine.record import Record
from secondpass.machine.sighting import Sightings
from secondpass.machine.values import Raised
from secondpass.settings import Budget

FURTHER = 6
"""The part of the budget's statements that all paths may have run for another to be begun: long runs are made once."""
LEAST = 3
"""The first paths may use twice that."""
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
    complete: bool = False
    """Whether the program was run in all the ways that its choices were worth, each to its end."""
    sightings: Sightings | None = None
    """What was seen of each expression on the default sides, if that was asked for."""


def run_program(
    tree: ast.Module,
    unit: Any,
    library: Library,
    budget: Budget,
    modules: Modules | None = None,
    seeing: bool = False,
    cells: list[list[ast.stmt]] | None = None,
    forgives: Callable[[ast.AST], bool] | None = None,
    machine: Machine | None = None,
    entered: bool = True,
) -> Outcome:
    """Run a file as a script, in all the ways its choices allow.

    `cells` are the statements of those cells of a notebook that walk a graph: each is also run a second time by itself.
    `forgives` says of a walk's place that a failure there is to be left alone. With `seeing`, what was seen of each
    expression is told too. `machine` is one on which programs that import the same files have run. Unless `entered`,
    functions that the script does not reach are not run.
    """
    program = Program(unit, library, budget, modules, seeing, machine)
    program.entered = entered
    program.m.forgives = forgives
    outcome = program.run(tree)
    outcome.sightings, program.m.sightings = program.m.sightings, None
    if cells and outcome.paths[0].record.finished:
        outcome.reruns = list(_run_again(program.m, program.body, unit, cells))
    program.let_go()
    program.m.reset({})
    return outcome


class Program:
    """One file's compiled program, and its runs. It may be run again after its tree has changed.

    A run then does again only what the change may have made different: see `run`.
    """

    def __init__(
        self,
        unit: Any,
        library: Library,
        budget: Budget,
        modules: Modules | None,
        seeing: bool = False,
        machine: Machine | None = None,
    ) -> None:
        self.unit = unit
        self.budget = budget
        self.entered = True
        self.m = machine or Machine(library, budget)
        self.m.take(modules, seeing)
        self.body: Statement = lambda f: None
        self._compiler = Compiler(self.m, unit, seeing)
        self._scope = Scope()
        self._compiled: dict[ast.stmt, Statement] = {}
        self._paths: list[Path] = []
        self._complete = False
        self._entries = Entries(self.m, unit)
        self._base = Base(self.m)

    def run(self, tree: ast.Module, bodies: Set[ast.AST] | None = None) -> Outcome:
        """Run the file in all the ways its choices allow, and then its entries.

        `bodies` are the functions whose bodies are others than at the run before, if nothing else is; the outcome is
        the same as without, but a run that went through none of them is not done again.
        """
        if bodies is None:
            self._compile(tree)
        else:
            self._compiler.forget(bodies)
        if bodies is not None and self._paths and not any(bodies & path.record.reached for path in self._paths):
            entries = self._entries.again(self._base, bodies)
            if entries is not None:
                return self._outcome(entries)
        return self._outcome(self._run_paths(bodies))

    def _compile(self, tree: ast.Module) -> None:
        """Compile the statements that are not compiled yet."""
        compiler, known = self._compiler, self._compiled
        compiler.renew()
        kept = [node for node in self._reachable(tree) if not empty(node)]
        self._compiled = {node: known[node] if node in known else compiler.stmt(node, self._scope) for node in kept}
        self.body = compiler.sequence(list(self._compiled.values()))

    def _reachable(self, tree: ast.Module) -> list[ast.stmt]:
        """The statements of a file up to a `raise` that hangs on nothing: what stands below it never runs.

        Cells of a notebook are run one by one, whatever an earlier one raises.
        """
        if self.unit.cells is None:
            for number, node in enumerate(tree.body, 1):
                if type(node) is ast.Raise:
                    return tree.body[:number]
        return tree.body

    def _run_paths(self, bodies: Set[ast.AST] | None) -> list[Record]:
        """Every run of the program itself; gives the records of the entries, which run after the first."""
        m = self.m
        self._paths = []
        entries: list[Record] = []
        queue: list[Plan] = [{}]
        seen: set[PlanKey] = set()
        stories: dict[PlanKey, tuple[object, ...]] = {}
        quiet: set[ast.AST] = set()
        total = 0
        while queue and len(self._paths) < self.budget.paths:
            plan = min(queue, key=_rank)
            queue.remove(plan)
            m.reset(plan)
            record = _run(m, self.body, self.unit)
            occurrences = m.occurrences
            total += m.steps
            quiet.update(c.site for c in record.choices if c.believed)
            self._paths.append(Path(plan, record))
            if not plan:
                self._base = Base(m)
                entries = self._entries.run(self._base, bodies) if self.entered else []
            if total > self.budget.steps // (FURTHER if len(self._paths) >= LEAST else FURTHER // 2):
                self._complete = not queue and (bool(plan) or not record.choices)
                break
            story = _story(record)
            stories[_key(plan)] = story
            for more in _turned(plan, record, occurrences, stories, story):
                key = _key(more)
                if key not in seen:
                    seen.add(key)
                    queue.append(more)
            if plan:
                # Functions and frames hold each other: let go of them here, so that counting references frees the rest.
                m.globals.clear()
        else:
            self._complete = not queue
        return entries

    def _outcome(self, entries: list[Record]) -> Outcome:
        exhausted = any(c.what.startswith("steps") for c in self._paths[0].record.cuts)
        complete = self._complete and not any(path.record.cuts for path in self._paths)
        return Outcome(list(self._paths), entries, exhausted=exhausted, complete=complete)

    def let_go(self) -> None:
        """Drop the values that the runs left behind: no other run is to follow."""
        self._base.globals.clear()


def _run_again(m: Machine, body: Statement, unit: Any, cells: list[list[ast.stmt]]) -> Iterator[Record]:
    """Run the whole, then one cell more: for each cell, from the beginning."""
    for cell in cells:
        m.reset({})
        _run(m, body, unit)
        again = Compiler(m, unit).block(cell, Scope())
        m.note_to(Record(entry=""))
        record = m.record
        m.iterations, m.chain, m.grad_mode, m.steps = (), None, True, 0
        try:
            again(Frame(m.globals, None, m.globals))
            record.finished = True
        except (Raised, Exhausted, RecursionError):
            pass
        m.globals.clear()
        if record.raises:
            yield record


def _rank(plan: Plan) -> int:
    """How soon a plan is worth a run: by what the branches that it turns can touch."""
    return max((getattr(site, "rank", 1) for site in plan), default=0)


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
