"""Entries: functions and methods of a file that its own script never calls.

Each that may walk a graph is run by itself (entry.py): with its undecided branches turned one at a time, as for the
program itself, but fewer of them, and then in the other ways in which a loop elsewhere may use it (ways.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from secondpass.machine.elsewhere import may_turn, stateful_classes
from secondpass.machine.entry import WALKS, Entry, text_of
from secondpass.machine.fitting import Fitting
from secondpass.machine.machine import Machine
from secondpass.machine.record import Record
from secondpass.machine.values import Function, Lazy
from secondpass.machine.watch import Watch, fixed
from secondpass.machine.ways import PLAIN, Mentions, Way, losses_given, ways

TURNED = 4
"""How many undecided branches of one entry are turned."""


class Base:
    """What the program's own run left behind, from which its entries start."""

    def __init__(self, m: Machine) -> None:
        self.record = m.record
        self.globals = m.globals
        values = [*m.globals.values(), *(value for cls in m.classes for value in cls.attrs.values())]
        decorated = {value.node: value for value in values if type(value) is Function and value.wrappers}
        self.functions = {node: decorated.get(node, fn) for node, fn in m.functions.items()}
        self.owners = {value.node: cls for cls in m.classes for value in cls.attrs.values() if type(value) is Function}
        self._state = m.state
        self.classes = list(m.classes)
        self._seq = m.seq
        self.steps = m.steps
        self.walkers: set[str] | None = None
        """The functions of other files that walk, once they were looked for."""

    def names(self, path: str) -> dict[str, Any]:
        """The names of a file of the program, after the run."""
        if path == self.globals.get("@path"):
            return self.globals
        module = self._state.get("modules", {}).get(path)
        return module.vars if module is not None else {}

    def restore(self, m: Machine) -> None:
        """Put the machine back behind the program's own run."""
        m.reset({})
        m.globals, m.state, m.classes, m.seq = self.globals, self._state, list(self.classes), self._seq
        m.functions = dict(self.functions)


@dataclass(slots=True)
class Ran:
    """One entry as it was run, in its few ways: what it left behind, and what that hangs on."""

    records: list[Record] = field(default_factory=list)
    """What counts of it for the findings."""
    reached: set[ast.AST] = field(default_factory=set)
    steps: int = 0
    ended: bool = False
    """Whether the budget was used up: no other entry is run."""
    watch: Watch = field(default_factory=Watch)
    setting: Any = None
    """What of the rest of the file the ways of running it hang on."""


class Entries:
    """The entries of one program."""

    def __init__(self, m: Machine, unit: Any) -> None:
        self.m = m
        self.unit = unit
        self._ran: dict[ast.AST, Ran] = {}
        self._fitting = Fitting([])
        self._mentions = Mentions("")

    def run(self, base: Base, bodies: Set[ast.AST] | None) -> list[Record]:
        """The records of every entry; the program itself has just been run on this machine.

        `bodies` are the functions whose bodies changed since these entries were run, if nothing else of the file did:
        what went through none of them, and hangs on nothing that a run can change, is not run again.
        """
        before, self._ran = self._ran if bodies is not None else {}, {}
        found: list[Record] = []
        for node, fn in self._all(base):
            ran = before.get(node)
            if ran is None or not self._holds(ran, bodies or set(), base, node, fn):
                ran = self._run(base, node, fn)
            else:
                self.m.steps += ran.steps
            self._ran[node] = ran
            found += ran.records
            if ran.ended:
                break
        return found

    def _all(self, base: Base) -> Iterator[tuple[ast.AST, Function]]:
        """What walks, and then the modules that none of that has called."""
        self._fitting, self._mentions = Fitting(base.classes), Mentions(self.unit.text)
        yield from worth_running(base, self.m, self.unit)
        reached = {node for ran in self._ran.values() for node in ran.reached}
        for node, fn in stateful(base, self.m, self.unit):
            if fn.node not in reached:
                yield node, fn

    def again(self, base: Base, bodies: Set[ast.AST]) -> list[Record] | None:
        """The same where the program itself need not be run again; None if an entry hangs on what others left."""
        m, found, ran_before = self.m, [], self._ran
        base.restore(m)
        m.steps = base.steps
        kept: dict[ast.AST, Ran] = {}
        self._ran = kept
        for node, fn in self._all(base):
            ran = ran_before.get(node)
            same = ran is not None and ran.setting == self._setting(base, node, fn)
            if ran is not None and same and not ran.ended and not bodies & ran.reached:
                m.steps += ran.steps
                if m.steps > m.budget.steps:
                    return None
            elif ran is not None and not ran.watch.apart:
                return None
            else:
                ran = self._run(base, node, fn)
                if not ran.watch.apart or ran.ended:
                    return None
            kept[node] = ran
            found += ran.records
        if any(not ran.watch.apart for node, ran in ran_before.items() if node not in kept):
            return None
        return found

    def _holds(self, ran: Ran, bodies: Set[ast.AST], base: Base, node: ast.AST, fn: Function) -> bool:
        return (
            not bodies & ran.reached
            and not ran.ended
            and ran.watch.holds(base.names)
            and self.m.steps + ran.steps <= self.m.budget.steps
            and ran.setting == self._setting(base, node, fn)
        )

    def _ways(self, base: Base, node: ast.AST, fn: Function) -> list[Way]:
        functions = [one for at, one in base.functions.items() if at.unit is self.unit]  # type: ignore[attr-defined]
        return ways(functions, node, fn, base.owners.get(fn.node), self._mentions)

    def _setting(self, base: Base, node: ast.AST, fn: Function) -> Any:
        """What of the rest of the file decides how an entry is run."""
        owner = base.owners.get(fn.node)
        init = owner.lookup("__init__") if owner is not None else None
        classes = [
            (name, found.node)
            for one in (fn, init)
            if type(one) is Function
            for name in one.params.names
            if (found := self._fitting.of(one, name)) is not None
        ]
        said = [(way.said, *(one.node for one in way.before)) for way in self._ways(base, node, fn)]
        return said, classes, self._mentions.calls(fn, owner)

    def _run(self, base: Base, node: ast.AST, fn: Function) -> Ran:
        """Run one entry: with its undecided branches turned one at a time, and in its other ways."""
        m, ran, owner = self.m, Ran(), base.owners.get(fn.node)
        ran.setting = self._setting(base, node, fn)
        steps, m.watching, m.classes = m.steps, ran.watch, list(base.classes)
        if not fixed(fn) or (owner is not None and not fixed(owner)):
            m.lasting()
        lonely = not self._mentions.calls(fn, owner)
        try:
            entry = Entry(m, node, fn, owner, lonely, self._fitting)
            record = entry.run(PLAIN, {})
            ran.records.append(record)
            ran.reached |= record.reached
            ran.ended = any(c.what.startswith("steps") for c in record.cuts)
            if not ran.ended and not record.raises:
                self._turn(entry, ran, record)
            if not ran.ended and not any(one.raises for one in ran.records):
                believed = [losses_given(fn)] if record.lost else []
                self._try(entry, ran, [*filter(None, believed), *self._ways(base, node, fn)])
        finally:
            m.watching = None
        ran.steps = m.steps - steps
        return ran

    def _turn(self, entry: Entry, ran: Ran, record: Record) -> None:
        """Its undecided branches, until one of them shows a failure."""
        sites = [
            site
            for site in dict.fromkeys(c.site for c in record.choices if not c.believed)
            if may_turn(entry.node, site)
        ]
        for site in sites[:TURNED]:
            turned = entry.run(PLAIN, {site: "flip"})
            ran.reached |= turned.reached
            if turned.raises:
                ran.records.append(turned)
                return

    def _try(self, entry: Entry, ran: Ran, tried: list[Way]) -> None:
        """The other ways, until one of them shows a failure."""
        for way in tried:
            for other in way.before:
                if not fixed(other) or (other.owner is not None and not fixed(other.owner)):
                    self.m.lasting()
            record = entry.run(way, {})
            ran.reached |= record.reached
            if record.raises:
                ran.records.append(record)
                return
            if any(c.what.startswith("steps") for c in record.cuts):
                ran.ended = True
                return


def worth_running(base: Base, m: Machine, unit: Any) -> list[tuple[ast.AST, Function]]:
    """The functions not yet run that may walk a graph: by their text, or by calling one that may."""
    left = [
        (node, fn)
        for node, fn in base.functions.items()
        if node not in base.record.reached
        and node.unit is unit  # type: ignore[attr-defined]
        and not fn.generator
        and (fn.name == "__call__" or not fn.name.startswith("__"))
    ]
    texts = {id(node): text_of(node) for node, _ in left}
    walking = {fn.name for node, fn in left if WALKS.search(texts[id(node)])}
    if len(walking) < len(left):
        if base.walkers is None:
            base.walkers = imported_walkers(base, m)
        walking |= base.walkers
    before = -1
    while walking and len(walking) != before:
        before = len(walking)
        mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, walking))})\b")
        walking |= {fn.name for node, fn in left if mention.search(texts[id(node)])}
    return [(node, fn) for node, fn in left if fn.name in walking]


def imported_walkers(base: Base, m: Machine) -> set[str]:
    """The functions of imported modules that walk, by their text: who mentions one may walk through it."""
    found: set[str] = set()
    if m.modules is None:
        return found
    for name, value in base.globals.items():
        if type(value) is not Lazy:
            continue
        module, level = value.home
        for asked in (module, f"{module}.{name}" if module else name):
            path = m.modules.find(asked, level, base.globals.get("@path", ""))
            text = m.modules.text(path) if path is not None else None
            if text is not None and WALKS.search(text) is not None:
                found |= {fn[1] for fn in DEFINED.finditer(text) if WALKS.search(fn[0])}
    return found


DEFINED = re.compile(r"^(?:async )?def (\w+)\(.*?(?=^[^\s)]|\Z)", re.M | re.S)
"""A function at the top of a file."""


def stateful(base: Base, m: Machine, unit: Any) -> list[tuple[ast.AST, Function]]:
    """The classes whose loop is elsewhere, each with its `forward`."""
    found: list[tuple[ast.AST, Function]] = []
    for cls in stateful_classes(base.classes, m.modules, unit):
        fn = cls.attrs["forward"]
        if fn.node not in base.record.reached and cls.node is not None:
            found.append((cls.node, fn))
    return found
