"""Entries: functions and methods of a file that its own script never calls.

Each that may walk a graph is run by itself. Parameters with a default keep it, the others are an object of the class in
sight that they fit (fitting.py), or unknown. A class is instantiated through its `__init__`; a method that a framework
calls in a loop is run in that loop, any other again and again as long as its object keeps a graph. An entry's undecided
branches are turned one at a time, as for the program itself, but fewer of them; then come the other ways in which a
loop elsewhere may use it (ways.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from secondpass.machine.compiler.iterations import Iterations
from secondpass.machine.elsewhere import ended_elsewhere, may_turn, stateful_classes
from secondpass.machine.fitting import Fitting, imported
from secondpass.machine.machine import Exhausted, Machine
from secondpass.machine.record import Record
from secondpass.machine.values import Bound, Class, Dict, Function, Lazy, Obj, Raised, Seq, Unknown, V
from secondpass.machine.watch import Watch, fixed
from secondpass.machine.ways import PLAIN, Mentions, Way, holds_graph, part_of, ways

WALKS = re.compile(r"backward|\bgrad\b|training_step|train_step|compute_loss|closure|get_loss")
"""What a function must mention to be worth running by itself (or it must mention one that does)."""
NESTED = 3
"""How deep instances are made for the parameters of constructors of instances."""
TURNED = 4
"""How many undecided branches of one entry are turned."""
AGAIN = 12
"""How often a method is called in a row, if what its calls do goes on to differ."""
ROUNDS = 3
"""How often what several methods do in turn is done, and what a function returned is called."""
ONCE = re.compile(r"closure|backward|backprop", re.I)
"""Functions that are handed out to be called once, each time anew."""


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
                self._try(entry, ran, self._ways(base, node, fn))
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


class Entry:
    """One entry, ready to be run. A class is an entry by its `forward`: its loop is elsewhere."""

    def __init__(
        self, m: Machine, node: ast.AST, fn: Function, owner: Class | None, lonely: bool, fitting: Fitting
    ) -> None:
        self.m, self.node, self.fn, self.owner = m, node, fn, owner
        self._fitting = fitting
        self._lonely = lonely
        """Whether nothing in its file calls it."""
        self._self: V = None
        self._held: dict[str, Obj] = {}
        """The objects that its parameters are, by their names: those do not change from call to call."""

    def run(self, way: Way, plan: dict[ast.AST, str]) -> Record:
        """One run in one way, with these choices turned."""
        m, node = self.m, self.node
        record = Record(self.fn.name) if type(node) is not ast.ClassDef else Record(node.name, node.name)
        record.said = way.said
        m.note_to(record)
        m.plan = plan
        m.iterations, m.chain, m.grad_mode, m.depth, m.trying = (), None, True, 0, 0
        m.occurrences, m.trail, m.watched, m.counts = {}, [], [], {}
        # An entry is a program of its own: it remembers nothing of another.
        m.memo, m.equalities, m.bound, m.grown = {}, {}, {}, []
        m.compiling, m.first_kept, m.inference, m.site = [], {}, False, node
        m.active.clear()
        self._self, self._held = None, {}
        try:
            self._enter(record, way)
            record.finished = True
        except Raised:
            pass
        except Exhausted:
            m.cut("steps: the entry needs more than the budget", node)
        except RecursionError:
            m.cut("the entry recurses too deeply", node)
        return record

    def _enter(self, record: Record, way: Way) -> None:
        m, fn = self.m, self.fn
        if self.owner is None:
            for _ in range(ROUNDS if way.before else 1):
                self._call_closures(record, self._round(way))
            return
        self._self = self._instance(self.owner, self.node)
        if type(self._self) is Obj and record.module:
            m.library.train(m, self._self, fn, fn.node)
        elif type(self._self) is not Obj or not m.library.drive(m, self._self, fn, self.node):
            self._again(record, way)

    def _again(self, record: Record, way: Way) -> None:
        """A method is called again and again, as long as its object keeps a graph that the next call may meet."""
        m = self.m
        rounds = Iterations(m, self.node, None)
        for number in range(AGAIN):
            rounds.begin()
            m.iterations = ()
            result = self._round(way)
            if number == 0 and not way.before:
                self._call_closures(record, result)
                if not holds_graph(self._self) or not self._alone():
                    return
                record.said = record.said or f"`{self.fn.name}` is called again and again on one object"
            if number and rounds.repeats():
                return

    def _alone(self) -> bool:
        """Whether nobody in sight calls the method, or ends in each iteration what its object keeps."""
        return self._lonely and self.owner is not None and not ended_elsewhere(self.m.modules, self.owner)

    def _round(self, way: Way) -> V:
        """What comes before it, and then the entry itself."""
        m, fn = self.m, self.fn
        result: V = None
        for other in way.before:
            result = m.call(self._bound(other), *self._arguments(other, {}, frozenset()), other.node)
        fed = {name: part_of(m, result, place, fn.node) for name, place in way.feeds}
        return m.call(self._bound(fn), *self._arguments(fn, fed, way.given), fn.node)

    def _bound(self, fn: Function) -> V:
        """A method of the entry's object, or of another."""
        owner = self.owner if fn is self.fn else fn.owner
        if owner is None:
            return fn
        if type(self._self) is Obj and owner in self._self.cls.mro:
            return Bound(fn, self._self)
        if self._self is not None and owner is self.owner:
            return Bound(fn, self._self)
        if owner.name not in self._held:
            made = self._instance(owner, fn.node)
            if type(made) is not Obj:
                return Bound(fn, made)
            self._held[owner.name] = made
        return Bound(fn, self._held[owner.name])

    def _arguments(self, fn: Function, fed: dict[str, V], given: Set[str]) -> tuple[list[V], dict[str, V]]:
        skip = 0 if fn.owner is None else 1
        names = fn.params.names
        args = [self._argument(fn, name, fed) for name in names[skip : len(names) - len(fn.defaults)]]
        more = {name: fed[name] for name in names[len(names) - len(fn.defaults) :] if name in fed}
        defaults = dict(zip(reversed(names), reversed(fn.defaults), strict=False)) | fn.kw_defaults
        for name in given:
            more[name] = True if defaults.get(name) is False else self._argument(fn, name, fed)
        return args, more

    def _argument(self, fn: Function, name: str, fed: dict[str, V]) -> V:
        found = fed[name] if name in fed else self._held.get(name)
        if found is None:
            found = self._made(fn, name)
            if type(found) is Obj:
                self._held[name] = found
        return found

    def _call_closures(self, record: Record, result: V) -> None:
        """Functions that an entry hands out are called a few times, if nobody in sight calls the entry."""
        if not self._lonely:
            return
        items = result.items if type(result) is Seq else [result]
        if type(result) is Dict:
            items = [item for _, item in result.items.values()]
        found = [one for one in items if type(one) is Function and one.closure is not None]
        if len(found) > 1:
            found = [one for one in found if WALKS.search(_text(one.node))]
        for one in found:
            if one.node in record.reached or one.generator:
                continue
            if not ONCE.search(one.name):
                record.said = record.said or f"what `{self.fn.name}` returns is called again and again"
            for _ in range(1 if ONCE.search(one.name) else ROUNDS):
                self.m.call(one, *self._arguments(one, {}, frozenset()), one.node)

    def _instance(self, cls: Class, site: ast.AST) -> V:
        """An instance of a class whose arguments are not known."""
        init = cls.lookup("__init__")
        names = init.params.names if type(init) is Function else []
        needed = names[1 : len(names) - len(init.defaults)] if names else []
        return self.m.call(cls, [self._made(init, name) for name in needed], {}, site)

    def _made(self, fn: Function, name: str) -> V:
        """A value for a parameter: an instance of the class in sight that it is annotated with or fits, data if it is
        annotated so, else unknown."""
        m, text = self.m, _annotation(fn, name)
        found: V = None
        if text:
            found = fn.module.get(text)
            if type(found) is Lazy:
                found = found.settle(fn.module, text)
            if m.watching is not None:
                m.watching.name(fn.module, text, found)
        else:
            found = self._fitting.of(fn, name) or imported(fn, name)
            if type(found) is Class and m.watching is not None and not fixed(found):
                m.lasting()
        if type(found) is Class and m.depth < NESTED:
            m.depth += 1
            try:
                return self._instance(found, fn.node)
            finally:
                m.depth -= 1
        return Unknown(KINDS.get(text, "opaque"), name)


KINDS = {
    **dict.fromkeys(("int", "float", "bool", "str"), "number"),
    **dict.fromkeys(("Tensor", "torch.Tensor", "np.ndarray", "numpy.ndarray"), "data"),
}
"""What a parameter is by its annotation."""


def _annotation(fn: Function, name: str) -> str:
    """The class that a parameter is annotated with, as written, without quotes and without `None`."""
    node = fn.node.args
    for arg in (*node.posonlyargs, *node.args):
        if arg.arg == name and arg.annotation is not None:
            text = ast.unparse(arg.annotation).strip("'\"")
            return re.sub(r"^(?:typing\.)?Optional\[(.*)\]$", r"\1", text).removesuffix(" | None").strip("'\"")
    return ""
