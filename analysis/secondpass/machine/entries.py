"""Entries: functions and methods of a file that its own script never calls.

Each that may walk a graph is run by itself. Parameters with a default keep it, the others are unknown. A class is
instantiated through its `__init__`; a method that a framework calls in a loop is run in that loop. An entry's undecided
branches are turned one at a time, as for the program itself, but fewer of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from secondpass.machine.elsewhere import may_turn, stateful_classes
from secondpass.machine.machine import Exhausted, Machine
from secondpass.machine.record import Record
from secondpass.machine.values import Bound, Class, Function, Lazy, Obj, Raised, Unknown, V
from secondpass.machine.watch import Watch, fixed

WALKS = re.compile(r"backward|\bgrad\b|training_step|train_step|compute_loss|closure|get_loss")
"""What a function must mention to be worth running by itself (or it must mention one that does)."""
NESTED = 3
"""How deep instances are made for the parameters of constructors of instances."""
TURNED = 4
"""How many undecided branches of one entry are turned."""


class Base:
    """What the program's own run left behind, from which its entries start."""

    def __init__(self, m: Machine) -> None:
        self.record = m.record
        self.globals = m.globals
        self.functions = dict(m.functions)
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


class Entries:
    """The entries of one program."""

    def __init__(self, m: Machine, unit: Any) -> None:
        self.m = m
        self.unit = unit
        self._ran: dict[ast.AST, Ran] = {}

    def run(self, base: Base, bodies: Set[ast.AST] | None) -> list[Record]:
        """The records of every entry; the program itself has just been run on this machine.

        `bodies` are the functions whose bodies changed since these entries were run, if nothing else of the file did:
        what went through none of them, and hangs on nothing that a run can change, is not run again.
        """
        before, self._ran = self._ran if bodies is not None else {}, {}
        found: list[Record] = []
        for node, fn in [*worth_running(base, self.m, self.unit), *stateful(base, self.m, self.unit)]:
            ran = before.get(node)
            if ran is None or not self._holds(ran, bodies or set(), base):
                ran = self._run(base, node, fn)
            else:
                self.m.steps += ran.steps
            self._ran[node] = ran
            found += ran.records
            if ran.ended:
                break
        return found

    def again(self, base: Base, bodies: Set[ast.AST]) -> list[Record] | None:
        """The same where the program itself need not be run again; None if an entry hangs on what others left."""
        m, found, ran_before = self.m, [], self._ran
        base.restore(m)
        m.steps = base.steps
        kept: dict[ast.AST, Ran] = {}
        for node, fn in [*worth_running(base, self.m, self.unit), *stateful(base, self.m, self.unit)]:
            ran = ran_before.get(node)
            if ran is not None and not ran.ended and not bodies & ran.reached:
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
        self._ran = kept
        return found

    def _holds(self, ran: Ran, bodies: Set[ast.AST], base: Base) -> bool:
        return (
            not bodies & ran.reached
            and not ran.ended
            and ran.watch.holds(base.names)
            and self.m.steps + ran.steps <= self.m.budget.steps
        )

    def _run(self, base: Base, node: ast.AST, fn: Function) -> Ran:
        """Run one entry, and then with its undecided branches turned one at a time."""
        m, ran, owner = self.m, Ran(), base.owners.get(fn.node)
        steps, m.watching, m.classes = m.steps, ran.watch, list(base.classes)
        if not fixed(fn) or (owner is not None and not fixed(owner)):
            m.lasting()
        try:
            record = run_entry(m, node, fn, owner, {})
            ran.records.append(record)
            ran.reached |= record.reached
            ran.ended = any(c.what.startswith("steps") for c in record.cuts)
            if not ran.ended and not record.raises:
                sites = [
                    site
                    for site in dict.fromkeys(c.site for c in record.choices if not c.believed)
                    if may_turn(node, site)
                ]
                for site in sites[:TURNED]:
                    turned = run_entry(m, node, fn, owner, {site: "flip"})
                    ran.reached |= turned.reached
                    if turned.raises:
                        ran.records.append(turned)
                        break
        finally:
            m.watching = None
        ran.steps = m.steps - steps
        return ran


def worth_running(base: Base, m: Machine, unit: Any) -> list[tuple[ast.AST, Function]]:
    """The functions not yet run that may walk a graph: by their text, or by calling one that may."""
    left = [
        (node, fn)
        for node, fn in base.functions.items()
        if node not in base.record.reached and node.unit is unit and not fn.generator and not fn.name.startswith("__")  # type: ignore[attr-defined]
    ]
    texts = {id(node): _text(node) for node, _ in left}
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


def _text(node: ast.AST) -> str:
    lines = node.unit.table.lines  # type: ignore[attr-defined]
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])  # type: ignore[attr-defined]


def run_entry(m: Machine, node: ast.AST, fn: Function, owner: Class | None, plan: dict[ast.AST, str]) -> Record:
    """One run of one entry, with these choices turned. A class is an entry by its `forward`: its loop is elsewhere."""
    record = Record(fn.name) if type(node) is not ast.ClassDef else Record(node.name, node.name)
    m.note_to(record)
    m.plan = plan
    m.iterations, m.chain, m.grad_mode, m.depth, m.trying = (), None, True, 0, 0
    m.occurrences, m.trail, m.watched, m.counts = {}, [], [], {}
    # An entry is a program of its own: it remembers nothing of another.
    m.memo, m.equalities, m.bound, m.grown = {}, {}, {}, []
    m.compiling, m.first_kept, m.inference, m.site = [], {}, False, node
    m.active.clear()
    try:
        if owner is None:
            m.call(fn, arguments(m, fn, 0), {}, node)
        else:
            self = instance(m, owner, node)
            if type(self) is Obj and record.module:
                m.library.train(m, self, fn, fn.node)
            elif type(self) is not Obj or not m.library.drive(m, self, fn, node):
                m.call(Bound(fn, self), arguments(m, fn, 1), {}, node)
        record.finished = True
    except Raised:
        pass
    except Exhausted:
        m.cut("steps: the entry needs more than the budget", node)
    except RecursionError:
        m.cut("the entry recurses too deeply", node)
    return record


def instance(m: Machine, cls: Class, site: ast.AST) -> V:
    """An instance of a class whose arguments are not known."""
    init = cls.lookup("__init__")
    return m.call(cls, arguments(m, init, 1) if type(init) is Function else [], {}, site)


def arguments(m: Machine, fn: Function, skip: int) -> list[V]:
    """Unknown values for the parameters that have no default, the first `skip` left out (`self`)."""
    names = fn.params.names
    needed = names[skip : len(names) - len(fn.defaults)]
    return [_argument(m, fn, name) for name in needed]


def _argument(m: Machine, fn: Function, name: str) -> V:
    """A parameter by its annotation: a class in sight is an instance, a tensor is data, anything else is unknown."""
    node = fn.node.args
    for arg in (*node.posonlyargs, *node.args):
        if arg.arg == name and arg.annotation is not None:
            text = ast.unparse(arg.annotation).strip("'\"")
            found = fn.module.get(text)
            if type(found) is Lazy:
                found = found.settle(fn.module, text)
            if m.watching is not None:
                m.watching.name(fn.module, text, found)
            if type(found) is Class and m.depth < NESTED:
                m.depth += 1
                try:
                    return instance(m, found, fn.node)
                finally:
                    m.depth -= 1
            if text in ("int", "float", "bool", "str"):
                return Unknown("number", name)
            if text in ("Tensor", "torch.Tensor", "np.ndarray", "numpy.ndarray"):
                return Unknown("data", name)
    return Unknown("opaque", name)
