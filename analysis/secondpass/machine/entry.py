"""One entry, and how it is run: a function or method of a file that its own script never calls.

Parameters with a default keep it, the others are an object of the class in sight that they fit (fitting.py), or
unknown. A class is instantiated through its `__init__`; a method that a framework calls in a loop is run in that loop,
any other again and again as long as its object keeps a graph; functions that are handed out are called.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Set

from secondpass.machine.compiler.iterations import Iterations
from secondpass.machine.elsewhere import ended_elsewhere
from secondpass.machine.fitting import Fitting, imported
from secondpass.machine.machine import Exhausted, Machine
from secondpass.machine.record import Record
from secondpass.machine.values import Bound, Class, Dict, Function, Lazy, Obj, Raised, Seq, Unknown, V
from secondpass.machine.watch import fixed
from secondpass.machine.ways import Way, holds_graph, part_of

WALKS = re.compile(r"backward|\bgrad\b|training_step|train_step|compute_loss|closure|get_loss")
"""What a function must mention to be worth running by itself (or it must mention one that does)."""
NESTED = 3
"""How deep instances are made for the parameters of constructors of instances."""
AGAIN = 12
"""How often a method is called in a row, if what its calls do goes on to differ."""
ROUNDS = 3
"""How often what several methods do in turn is done, and what a function returned is called."""
ONCE = re.compile(r"closure|backward|backprop", re.I)
"""Functions that are handed out to be called once, each time anew."""


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
                result = self._round(way)
                record.leaves_graph |= holds_graph(result) or any(map(holds_graph, self._held.values()))
                self._call_closures(record, result)
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
            record.leaves_graph |= any(map(holds_graph, (result, self._self, *self._held.values())))
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
        fed |= {name: self._with_graph(fn, name) for name in way.walked}
        return m.call(self._bound(fn), *self._arguments(fn, fed, way.given), fn.node)

    def _with_graph(self, fn: Function, name: str) -> V:
        """Losses that the caller has computed."""
        node = fn.node.args
        site = next(arg for arg in (*node.posonlyargs, *node.args) if arg.arg == name)
        site.unit = fn.node.unit
        made = Unknown("opaque", name)
        made.history = self.m.new_node(name, site, [], True)
        return made

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
            found = [one for one in found if WALKS.search(text_of(one.node))]
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


def text_of(node: ast.AST) -> str:
    """The lines of a function or class."""
    lines = node.unit.table.lines  # type: ignore[attr-defined]
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])  # type: ignore[attr-defined]
