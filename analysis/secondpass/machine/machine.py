"""The abstract machine: the state of one run, and the services every part of the interpreter uses.

The program's tree is compiled once into Python closures (compiler/), each of which takes a `Frame` and yields a value.
A run executes them on values without numbers. A branch that cannot be decided takes one side and says so; the engine
runs the entry again with other sides taken (`plan`). What happens is appended to the `Record`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Protocol

from secondpass.machine import attributes, calls, containers, errors, settings
from secondpass.machine.graph import Chain, Failure, Holder, Iterations, Leaf, Node, Storage, Walk
from secondpass.machine.record import Choice, Cut, Detached, Raise, Record, Retained, Store
from secondpass.machine.sighting import Sightings
from secondpass.machine.values import (
    MISSING,
    Class,
    Dict,
    External,
    Function,
    Iter,
    Obj,
    Raised,
    Seq,
    Tensor,
    Unknown,
    V,
    Value,
)
from secondpass.machine.watch import Watch
from secondpass.settings import Budget


class Exhausted(Exception):
    """The entry used up its budget. What it recorded so far stands."""


class Frame:
    """The names of one running scope."""

    __slots__ = ("caller", "enclosing", "func", "globals", "vars")

    def __init__(
        self, vars: dict[str, V], enclosing: Frame | None, globals: dict[str, V], func: Function | None = None
    ) -> None:
        self.vars = vars
        self.enclosing = enclosing
        self.globals = globals
        self.func = func


class Library(Protocol):
    """What the machine asks of whoever knows PyTorch and the other libraries."""

    def attribute(self, m: Machine, external: External, name: str) -> V: ...
    def call(self, m: Machine, external: External, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V: ...
    def tensor_method(
        self, m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST
    ) -> V: ...
    def tensor_attribute(self, m: Machine, t: Tensor, name: str, site: ast.AST) -> V: ...
    def set_tensor_attribute(self, m: Machine, t: Tensor, name: str, value: V, site: ast.AST) -> None: ...
    def binary(self, m: Machine, op: type, left: V, right: V, site: ast.AST, in_place: bool) -> V: ...
    def unary(self, m: Machine, op: type, operand: V, site: ast.AST) -> V: ...
    def compare(self, m: Machine, left: V, right: V, site: ast.AST) -> V: ...
    def get_item(self, m: Machine, t: Tensor, index: V, site: ast.AST) -> V: ...
    def set_item(self, m: Machine, t: Tensor, index: V, value: V, site: ast.AST) -> None: ...
    def tensor_rows(self, m: Machine, t: Tensor, site: ast.AST) -> list[V]: ...
    def run_function_backward(self, m: Machine, node: Node, walk: Walk) -> None: ...
    def as_class(self, m: Machine, external: External) -> Any: ...
    def enter(self, m: Machine, manager: V, site: ast.AST) -> V: ...
    def leave(self, m: Machine, manager: V, site: ast.AST) -> None: ...
    def escaped(self, m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V: ...
    def derived(self, cls: Class) -> None: ...
    def some(self, m: Machine, external: External) -> V: ...
    def part(self, m: Machine, value: Unknown, name: str) -> V: ...
    def drive(self, m: Machine, obj: Obj, fn: Function, site: ast.AST) -> bool: ...
    def train(self, m: Machine, obj: Obj, fn: Function, site: ast.AST) -> None: ...
    def is_instance(self, m: Machine, value: V, kind: External) -> bool | None: ...


class Modules(Protocol):
    """Where imported files of the project come from: their globals, already run; MISSING for a file of others."""

    def load(self, m: Machine, name: str, level: int, importer: str) -> V: ...
    def act(self, m: Machine, name: str, level: int, importer: str) -> None: ...
    def find(self, name: str, level: int, importer: str) -> str | None: ...
    def text(self, path: str) -> str | None: ...
    def mentions(self, pattern: str) -> bool: ...
    def starts_anew(self, cls: str, methods: set[str], attributes: set[str]) -> bool: ...


class Machine:
    """One run. Compiled closures hold on to the machine, so `reset` starts another run of the same program."""

    def __init__(self, library: Library, budget: Budget, modules: Modules | None = None) -> None:
        self.library = library
        self.budget = budget
        self.modules = modules
        self.externals: dict[str, External] = {}
        self.forgives: Callable[[ast.AST], bool] | None = None
        self.globals: dict[str, V] = {}
        # The other files of the program, by path: their code holds on to this machine, and serves all of its runs.
        self.compiled: dict[str, Callable[[Frame], Any]] = {}
        self.sightings: Sightings | None = None
        self.reset({})

    def reset(self, plan: dict[ast.AST, str]) -> None:
        """Forget everything but the program; the next run takes the sides that `plan` names."""
        self.plan = plan
        self.note_to(Record())
        self.watching: Watch | None = None
        self.grad_mode = True
        self.inference = False
        self.iterations: Iterations = ()
        self.chain: Chain | None = None
        self.site: ast.AST = _NOWHERE
        self.seq = 0
        self.steps = 0
        self.occurrences: dict[ast.AST, int] = {}
        self.trail: list[int] = []
        # The conditions on numbers that the iteration met (compiler/iterations.py), and where the program counts in
        # other places than a loop's own names: holder by its identity and key.
        self.watched: list[Any] = []
        self.counts: dict[tuple[int, Any], Any] = {}
        # Lists that grew inside a loop: where it leaves iterations out, they are longer than what they list.
        self.grown: list[Seq] = []
        self.bound: dict[tuple[int, str], list[Holder]] = {}
        self.memo: dict[tuple[Any, ...], tuple[V, ...]] = {}
        self.equalities: dict[int, tuple[bool, V, V]] = {}
        self.active: dict[ast.AST, int] = {}
        self.depth = 0
        # The `torch.compile`d callables that are running, and whether the first walk through each kept its graph.
        self.compiling: list[object] = []
        self.first_kept: dict[object, bool] = {}
        self.trying = 0
        self.functions: dict[ast.AST, Function] = {}
        self.classes: list[Class] = []
        # Where libraries keep what they must remember during a run (global switches, caches).
        self.state: dict[str, Any] = {}

    def take(self, modules: Modules | None, seeing: bool) -> None:
        """Another program is run on this machine: what is compiled of files that both import stays compiled."""
        self.modules, self.forgives = modules, None
        self.sightings = Sightings() if seeing else None
        for external in self.externals.values():
            external.attrs.clear()
        self.reset({})

    def note_to(self, record: Record) -> None:
        """Record what happens from now on there."""
        self.record = record
        self.walks = record.walks
        self.reached = record.reached

    def lasting(self) -> None:
        """The entry that runs uses, or changes, what outlives it."""
        if self.watching is not None:
            self.watching.apart = False

    # --- recording ---------------------------------------------------------------------------------------------

    def new_node(self, op: str, site: ast.AST, inputs: list[Node | Leaf], frees: bool) -> Node:
        self.seq += 1
        node = Node(op, site, inputs, frees, self.seq, self.iterations, self.chain)
        if self.compiling:
            # A compiled region is one node that always saves something.
            node.compiled = self.compiling[-1]
            node.frees = node.eventful = True
        for below in inputs:
            if type(below) is Node and below.assumed is not None:
                node.assumed = below.assumed
                break
        return node

    def bump(self, storage: Storage, site: ast.AST) -> None:
        """A write into the memory: moves the version counter on, or silently goes past it (through `.data`)."""
        storage.version += 1
        storage.writer = site
        storage.writer_iterations = self.iterations
        storage.writer_chain = self.chain
        storage.written = self.seq
        if storage.of is not None:
            storage.of.silent += 1
            storage.of.silent_writer = site
            storage.of.written = self.seq

    def fail(self, failure: Failure) -> None:
        """The walk raises: record it, and raise the same in the analysed program.

        A failure that the user has said to leave alone is recorded, and the program goes on as if it were mended.
        """
        self.record.raises.append(self._told(failure))
        if self.forgives is None or not self.forgives(failure.site or failure.walk.site):
            raise Raised(failure, "RuntimeError")

    def notice(self, failure: Failure) -> None:
        """The walk silently uses changed values: record it and go on."""
        self.record.silent.append(self._told(failure))

    def _told(self, failure: Failure) -> Raise:
        path = [n for n in failure.path if type(n) is Node]
        through = [n for n in path[:-1] if n.unseen is not None]
        said = {n.assumed for n in through}
        assumed = [f"{n.assumed + ' and' if n.assumed else n.unseen} does not cut what it is given" for n in through]
        assumed += [n.assumed for n in path if n.assumed is not None and n.assumed not in said]
        record = self.record
        assumptions = tuple(dict.fromkeys(assumed))
        return Raise(failure, tuple(record.choices), record.entry, assumptions, record.detached, bool(through))

    def detached(self, t: Tensor, site: ast.AST | None = None) -> None:
        """A tensor with history is cut off from it (or a copy without history is made)."""
        node = t.node
        if type(node) is Node:
            self.seq += 1
            self.record.detached.append(Detached(site or self.site, node, id(t), self.seq, self.iterations))

    def note_retained(
        self, node: Node, earlier: Walk, later: Walk, parent: dict[Node | Leaf, Node | Leaf | None]
    ) -> None:
        kept = self.record.retained
        if len(kept) < 500:
            kept.append(Retained(node, earlier, later, parent))

    def note_passed(
        self, node: Node, earlier: Walk, later: Walk, parent: dict[Node | Leaf, Node | Leaf | None]
    ) -> None:
        passed = self.record.passed
        if len(passed) < 100:
            passed.append(Retained(node, earlier, later, parent))

    def note_store(
        self, kind: str, site: ast.AST, key: object, t: Tensor, size: int | None = None, part: bool = False
    ) -> None:
        if self.iterations and type(t.node) is Node:
            self.record.stores.append(Store(kind, site, key, t.node, self.iterations, self.seq, size, part))

    def note_bound(self, kind: str, site: ast.AST, holder: object, name: str, value: V) -> None:
        """A place holds this value now: a tensor, or a new list of a few (a state of several parts, or one that is
        rebuilt with one more)."""
        if not self.iterations:
            return
        if type(value) is Tensor:
            self.note_store(kind, site, (holder, name), value)
        elif type(value) is Seq and value.limit is None:
            last = None
            for number, t in enumerate(value.items):
                if type(t) is Tensor and type(t.node) is Node:
                    last = t
                    if number < PARTS:
                        self.note_store(kind, site, (holder, name, number), t)
            if last is not None and value.kind == "list" and value not in self.record.bounded:
                self.note_store("container", site, (holder, name), last, containers.graphs(value.items))

    def survives(self, f: Frame, names: list[str]) -> None:
        """An iteration has ended: what names that are older than the loop hold of it goes on to the next."""
        begun = self.iterations[-1]
        for name in names:
            value = f.vars.get(name)
            part = value
            if type(value) is Seq and 0 < len(value.items) <= PARTS:
                part = value.items[-1]
            if type(part) is Tensor and type(part.node) is Node and begun in part.node.iterations:
                held = [h.site for h in part.node.holders or () if type(h.site) is ast.Name and h.site.id == name]
                if held:
                    self.note_bound("name", held[-1], f, name, value)

    def emptied(self, container: V) -> None:
        """A list or dict is emptied, or left for an empty one: in the loops that run here it does not grow for ever."""
        self.record.emptied.update((container, site) for site, _ in self.iterations)

    def counted(self, holder: Any, key: Any) -> None:
        """A number was put into an attribute, an element, a name of a wider scope: a loop may count there."""
        if self.iterations:
            self.counts[(id(holder), key)] = holder

    def replaced(self, before: V, value: V) -> None:
        """Something else is put where a value was: an empty list in place of a full one empties it."""
        empty = type(value) in (Seq, Dict) and not value.items and not value.open
        if empty and self.iterations and type(before) in (Seq, Dict):
            self.emptied(before)

    def see(self, node: ast.AST, value: V) -> None:
        """An expression has this value now; of interest only on the default sides."""
        if self.sightings is not None and not self.plan:
            self.sightings.see(node, value, self.iterations, self.grad_mode)

    def cut(self, what: str, site: ast.AST) -> None:
        made = Cut(what, site)
        if made not in self.record.cuts:
            self.record.cuts.append(made)

    # --- choices -----------------------------------------------------------------------------------------------

    def choose(self, site: ast.AST, default: bool, believed: bool = False) -> bool:
        """Take a side where the condition is unknown: the default one, or what the plan says of this place.

        It is `believed` where the default of an option of the program says it.
        """
        n = self.occurrences.get(site, 0)
        self.occurrences[site] = n + 1
        mode = self.plan.get(site)
        if mode is None:
            side = default
        elif mode == "flip":
            side = not default
        elif mode == "first":
            side = default if n else not default
        else:
            side = default if not n else not default
        self.record.choices.append(Choice(site, side, believed))
        return side

    def truth(self, value: V) -> bool | None:
        """Whether a value counts as true; None where the machine cannot know."""
        if value is None or value is True or value is False:
            return bool(value)
        if not isinstance(value, Value):
            return bool(value)
        return self.truth_of(value)

    def truth_of(self, value: V) -> bool | None:
        kind = type(value)
        if kind is Unknown:
            if value.known is not MISSING:
                return self.truth(value.known)
            if value.setting and value.truth is None:
                return settings.certain(value)
            return True if value.kind == "module" and value.truth is None else value.truth
        if kind is Seq:
            return True if value.items else None if value.open else False
        if kind is Dict:
            return True if value.items else None if value.open else False
        if kind is Tensor:
            return None
        if kind is Obj:
            for name in ("__bool__", "__len__"):
                found = value.cls.lookup(name)
                if type(found) is Function:
                    return self.truth(self.call(found, [value], {}, self.site))
            native = value.cls.native_base()
            if native is not None:
                size = native.length(self, value)
                if type(size) is int:
                    return size > 0
        return True

    def belief(self, value: V) -> bool | None:
        """The side that a value is believed to count as, where it is a setting with a default."""
        believed = settings.belief(value)
        return None if believed is MISSING else self.truth(believed)

    @property
    def believed(self) -> bool:
        """Whether the program is believed to run here: outside any `try`, and with no choice turned.

        A `raise` or a failing `assert` then stands for hardware, data or options that this machine has not got.
        """
        return not self.trying and not self.plan

    def oops(self, name: str, message: str) -> V:
        """The program would raise here for reasons of its own, or for want of what the machine does not know.

        Inside a `try` it does raise. Elsewhere the program is believed to run, and the value is unknown.
        """
        if self.trying:
            raise Raised(message, name)
        if name == "AttributeError":
            self.record.misfits.append(self.site)
        return Unknown()

    def is_number(self, value: V) -> bool:
        """Whether a value is certainly a Python scalar (so that either side of `a or b` is as good)."""
        return type(value) is Unknown and value.kind == "number"

    def unknown(self, kind: str, *key: Any) -> Unknown:
        """The unknown that stands for the same computation on the same values, so that it takes the same side."""
        memo_key = tuple([k if type(k) in PLAIN else id(k) for k in key])
        found = self.memo.get(memo_key)
        if found is None:
            found = (Unknown(kind), *key)
            self.memo[memo_key] = found
        return found[0]  # type: ignore[no-any-return]

    # --- the program's values ----------------------------------------------------------------------------------

    def hold(
        self, t: Tensor, kind: str, site: ast.AST, place: tuple[int, str] | None = None, part: bool = False
    ) -> None:
        """Remember where a tensor was put: the places that hold it are what a finding can name.

        `place` identifies a name or attribute, so that binding it again ends what it held before.
        """
        node = t.node
        if type(node) is Node:
            holder = node.holder = Holder(kind, site, self.iterations, self.seq, id(t), part)
            if place is not None:
                before = self.bound.get(place)
                if before is not None and before[0].seq == self.seq:
                    before.append(holder)
                else:
                    for old in before or ():
                        old.until = self.seq
                    self.bound[place] = [holder]
            if node.holders is None:
                node.holders = [holder]
            elif len(node.holders) < 16:
                node.holders.append(holder)

    def caught(self, raised: Raised | None) -> None:
        """The program has handled an exception: a failure that it, or one it came of, stands for does not surface."""
        record = self.record
        while raised is not None:
            if isinstance(raised.value, Failure):
                failure = raised.value
                record.raises = [r for r in record.raises if r.failure is not failure]
            raised = raised.because

    def enter(self, manager: V, site: ast.AST) -> V:
        """`with manager as value`."""
        if type(manager) is Obj:
            found = manager.cls.lookup("__enter__")
            if type(found) is Function:
                return self.call(found, [manager], {}, site)
            native = manager.cls.native_base()
            if native is not None:
                return native.enter(self, manager, site)
        if type(manager) is Iter:
            return next(manager.source, None)
        return self.library.enter(self, manager, site)

    def leave(self, manager: V, site: ast.AST, raised: Raised | None = None) -> bool:
        """The end of `with manager`, maybe by an error; True if the manager ends that."""
        if type(manager) is Obj:
            found = manager.cls.lookup("__exit__")
            if type(found) is Function:
                given: list[V] = [None, None, None]
                if raised is not None:
                    given = [errors.class_of(raised), errors.value_of(raised), Unknown()]
                return self.truth(self.call(found, [manager, *given], {}, site)) is True
            native = manager.cls.native_base()
            if native is not None:
                native.leave(self, manager, site)
                return False
        if type(manager) is Iter:
            return self._resume(manager, raised)
        self.library.leave(self, manager, site)
        return False

    def _resume(self, manager: Iter, raised: Raised | None) -> bool:
        """Go on behind the yield of a generator that is a context manager: with the error, if there is one."""
        if raised is None or not hasattr(manager.source, "throw"):
            next(manager.source, None)
            return False
        try:
            manager.source.throw(raised)
        except Raised as again:
            if again is not raised:
                again.because = again.because or raised
                raise
            return False
        except StopIteration:
            pass
        return True

    def external(self, path: str) -> External:
        """The one value for a library's name."""
        found = self.externals.get(path)
        if found is None:
            found = self.externals[path] = External(path)
        return found

    def owns(self, name: str, level: int, f: Frame) -> bool:
        """Whether a module is of the project; it is not run for that."""
        if self.modules is None or not (name or level):
            return False
        return self.modules.find(name, level, f.globals.get("@path", "")) is not None

    def act(self, name: str, level: int, f: Frame) -> None:
        """A module of the project is imported: run it now if its import is to do something."""
        if self.modules is not None:
            self.modules.act(self, name, level, f.globals.get("@path", ""))

    def load(self, name: str, level: int, f: Frame) -> V:
        """A module of the project, run; MISSING when the name is not of the project."""
        if self.modules is None:
            return MISSING
        return self.modules.load(self, name, level, f.globals.get("@path", ""))

    def defined(self, fn: Function) -> None:
        self.functions.setdefault(fn.node, fn)

    def defined_class(self, cls: Class) -> None:
        self.classes.append(cls)

    call = calls.call
    call_method = calls.call_method
    instantiate = calls.instantiate
    getattr = attributes.get_attribute
    setattr = attributes.set_attribute
    store = attributes.store_attribute
    iterate = containers.iterate
    collect = containers.collect


PARTS = 8
"""A list with more parts is no state of several parts."""
PLAIN = frozenset({str, int, float, bool, type(None), type})
"""Types of what stands for itself in the key of an unknown."""
_NOWHERE = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
