"""Python's built-in functions and types, as far as training code uses them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from secondpass.machine import classes, containers, errors, operators, settings
from secondpass.machine.attributes import ask_attribute
from secondpass.machine.containers import collect
from secondpass.machine.elements import Counted, Rows
from secondpass.machine.values import (
    MISSING,
    Bound,
    BoundName,
    Builtin,
    Class,
    Dict,
    External,
    Function,
    Iter,
    Obj,
    Partial,
    Property,
    Raised,
    Seq,
    Static,
    Tensor,
    Unknown,
    V,
    Value,
    held,
    tensors_in,
)
from secondpass.machine.views import Attributes

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

Run = Callable[["Machine", list[V], dict[str, V], ast.AST], V]
BUILTINS: dict[str, V] = {}


def builtin(*names: str) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        for name in names:
            BUILTINS[name] = Builtin(name, run)
        return run

    return register


def _converter(kind: str) -> Run:
    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if not args:
            return Seq(kind, [])
        items, more = collect(m, args[0])
        made = Seq(kind, items, more)
        if type(args[0]) is Seq:
            made.count, made.gap = args[0].count, args[0].gap
        elif isinstance(args[0], range) and more:
            made.count = len(args[0])
        if kind == "set":
            made.items = [x for i, x in enumerate(items) if not any(operators.same(x, y) for y in items[:i])]
        return made

    return run


for _kind in ("list", "tuple", "set"):
    BUILTINS[_kind] = Builtin(_kind, _converter(_kind))
BUILTINS["frozenset"] = Builtin("frozenset", _converter("set"))


@builtin("dict")
def make_dict(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    made = Dict()
    containers.method(m, made, "update", args, kwargs, site)
    return made


@builtin("len")
def length(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return containers.length(m, args[0])


@builtin("range")
def range_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    args = [a.known if type(a) is Unknown and a.known is not MISSING else a for a in args]
    if args and all(type(a) is int for a in args):
        try:
            return range(*args)
        except ValueError:
            return m.oops("ValueError", "range() step")
    start = args[0] if len(args) > 1 else 0
    step = args[2] if len(args) > 2 else 1
    if type(start) is int and type(step) is int and step:
        return Iter(Counted(start, step, None), True)
    if type(step) is int and step < 0:
        # Backwards from an unknown end: the indices are unknown, the order is not.
        return Iter(iter([m.unknown("number", "range", *args, i) for i in range(3)]), True)
    return Iter(iter([m.unknown("number", "range", *args, i) for i in range(3)]), True)


@builtin("enumerate")
def enumerate_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    source = args[0]
    if type(source) is Seq and source.more is None and source.gap is None and type(start) is int:
        return Seq("list", [Seq("tuple", [i + start, x]) for i, x in enumerate(source.items)], source.open)

    numbers: Any = Counted(start, 1, None) if type(start) is int else iter(lambda: Unknown("number"), None)
    rows = Rows([numbers, m.iterate(source)])
    return Iter(rows, containers.endless(source), containers.alike(m, source), containers.size(m, source))


@builtin("zip")
def zip_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if args and all(type(a) is Seq and a.more is None and a.gap is None for a in args):
        # An open list has more elements than are listed; the shortest list that is closed ends the zip.
        closed = [len(a.items) for a in args if not a.open]
        most = max([len(a.items) for a in args], default=0)
        n = min(closed) if closed else min((len(a.items) for a in args), default=0)
        rows = [
            Seq("tuple", [a.items[i] if i < len(a.items) else a.items[-1] if a.items else Unknown() for a in args])
            for i in range(min(n, most) if closed else n)
        ]
        return Seq("list", rows, not closed)
    sizes = [containers.size(m, a) for a in args]
    known = [n for n in sizes if n is not None]
    # A sequence without an end does not shorten a zip; one whose end is not known may.
    certain = all(
        n is not None or (type(a) is Iter and type(a.source) is Counted) for n, a in zip(sizes, args, strict=True)
    )
    return Iter(
        Rows([m.iterate(a) for a in args]),
        all(containers.endless(a) for a in args),
        all(containers.alike(m, a) for a in args),
        min(known) if known and certain else None,
    )


@builtin("map")
def map_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    fn, sources = args[0], [m.iterate(a) for a in args[1:]]

    def results() -> Any:
        for row in zip(*sources, strict=False):
            yield m.call(fn, list(row), {}, site)

    return Iter(results(), all(containers.endless(a) for a in args[1:]), all(containers.alike(m, a) for a in args[1:]))


@builtin("filter")
def filter_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    fn, source = args[0], args[1]

    def kept() -> Any:
        for item in m.iterate(source):
            if m.truth(item if fn is None else m.call(fn, [item], {}, site)) is not False:
                yield item

    return Iter(kept(), containers.endless(source), containers.alike(m, source))


@builtin("sum")
def sum_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    total = args[1] if len(args) > 1 else kwargs.get("start", 0)
    items, more = collect(m, args[0])
    for item in items:
        total = operators.binary(m, ast.Add, total, item, site)
    if more and not tensors_in(total):
        return m.unknown("number", "sum", *items) if not items or not isinstance(total, Value) else total
    return total


def _extreme(pick: Any) -> Run:
    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        items = collect(m, args[0])[0] if len(args) == 1 else args
        if not items and "default" in kwargs:
            return kwargs["default"]
        if items and all(not isinstance(x, Value) for x in items) and "key" not in kwargs:
            try:
                return pick(items)
            except TypeError:
                return Unknown("number")
        for x in items:
            if type(x) is Tensor:
                return x
        if len(args) == 1 and items and any(isinstance(x, (Seq, Dict, Obj)) for x in items):
            return items[0]
        return m.unknown("number", pick, *items)

    return run


BUILTINS["min"] = Builtin("min", _extreme(min))
BUILTINS["max"] = Builtin("max", _extreme(max))


@builtin("sorted")
def sorted_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items, more = collect(m, args[0])
    if all(not isinstance(x, Value) for x in items) and not kwargs:
        try:
            items = sorted(items)
        except TypeError:
            return m.oops("TypeError", "unorderable")
    return Seq("list", items, more)


@builtin("reversed")
def reversed_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if isinstance(args[0], range):
        return args[0][::-1]
    items, more = collect(m, args[0])
    return Seq("list", items[::-1], more)


@builtin("iter")
def iter_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if type(args[0]) is Iter:
        return args[0]
    return Iter(iter(m.iterate(args[0])), containers.endless(args[0]), containers.alike(m, args[0]))


@builtin("next")
def next_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    value = args[0]
    if type(value) is Iter:
        found = next(value.source, MISSING)
        if found is not MISSING:
            return found
        return args[1] if len(args) > 1 else m.oops("StopIteration", "")
    if type(value) is Obj:
        return m.call_method(value, "__next__", [], {}, site)
    if type(value) is Unknown:
        return Unknown(value.kind)
    return Unknown()


@builtin("any")
def any_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items, more = collect(m, args[0])
    sides = [m.truth(x) for x in items]
    if True in sides:
        return True
    return m.unknown("number", "any", *items) if None in sides or more else False


@builtin("all")
def all_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items, more = collect(m, args[0])
    sides = [m.truth(x) for x in items]
    if False in sides:
        return False
    return m.unknown("number", "all", *items) if None in sides or more else True


def _number(name: str, convert: Any) -> Run:
    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if args and type(args[0]) is Unknown and args[0].known is not MISSING:
            args = [args[0].known, *args[1:]]
        if all(not isinstance(a, Value) for a in args) and not kwargs:
            try:
                return convert(*args)
            except Exception as fault:
                return m.oops(type(fault).__name__, str(fault))
        if name == "abs" and type(args[0]) is Tensor:
            return m.call_method(args[0], "abs", [], {}, site)
        if name == "pow" and any(type(a) is Tensor for a in args):
            return operators.binary(m, ast.Pow, args[0], args[1], site)
        if name == "bool":
            side = m.truth(args[0])
            return m.unknown("number", "bool", args[0]) if side is None else side
        return settings.derive(m.unknown("number", name, *args), convert, *args)

    return run


for _name, _convert in {
    "int": int,
    "float": float,
    "bool": bool,
    "abs": abs,
    "round": round,
    "pow": pow,
    "divmod": divmod,
    "ord": ord,
    "chr": chr,
    "hex": hex,
    "bin": bin,
    "hash": hash,
    "complex": complex,
    "ascii": ascii,
    "format": format,
}.items():
    BUILTINS[_name] = Builtin(_name, _number(_name, _convert))


@builtin("str", "repr")
def str_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if not args:
        return ""
    known = text_of(args[0])
    return settings.derive(m.unknown("number", "str", args[0]), str, args[0]) if known is None else known


def text_of(value: V) -> str | None:
    """`str(value)`, as far as the machine knows it."""
    if type(value) is Obj:
        return errors.text(value)
    return None if isinstance(value, Value) else str(value)


@builtin(
    "input", "help", "breakpoint", "memoryview", "bytearray", "bytes", "open", "eval", "exec", "__import__", "compile"
)
def effectless(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Unknown("number")


@builtin("print")
def print_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return None


@builtin("exit", "quit")
def exit_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    raise Raised(None, "SystemExit")


@builtin("vars", "locals", "globals")
def vars_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if args:
        return m.getattr(args[0], "__dict__", site)
    unit = getattr(site, "unit", None)
    name = site.func.id if isinstance(site, ast.Call) and isinstance(site.func, ast.Name) else ""
    if name == "globals" and unit is not None and unit.path == m.globals.get("@path"):
        m.lasting()
        return Dict(Attributes(m.globals))
    return Unknown()


@builtin("dir")
def dir_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if args and type(args[0]) is Obj:
        native = args[0].cls.native_base()
        names = native.attribute(m, args[0], "@names", site) if native is not None else MISSING
        if names is not MISSING:
            return names
        return Seq("list", [k for k in args[0].attrs if not k.startswith("@")])
    return Unknown("number")


@builtin("id", "hash")
def identity(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.unknown("number", "id", args[0])


@builtin("getattr")
def getattr_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    obj, name = args[0], settings.pick(m, args[1], site)
    if not isinstance(name, str):
        if type(obj) is External:
            return m.library.some(m, obj)
        return m.unknown("opaque", "getattr", obj, name)
    if len(args) < 3:
        return m.getattr(obj, name, site)
    found = ask_attribute(m, obj, name, site)
    return args[2] if found is MISSING else found


@builtin("setattr")
def setattr_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if isinstance(args[1], str):
        m.setattr(args[0], args[1], args[2], site)
    return None


@builtin("delattr")
def delattr_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if type(args[0]) is Obj and isinstance(args[1], str):
        args[0].attrs.pop(args[1], None)
    return None


@builtin("hasattr")
def hasattr_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    obj, name = args[0], args[1]
    if type(obj) is Unknown or not isinstance(name, str):
        return m.unknown("number", "hasattr", obj, name)
    if type(obj) is Obj and obj.cls.unresolved and name not in obj.attrs and obj.cls.lookup(name) is MISSING:
        return m.unknown("number", "hasattr", obj, name)
    return ask_attribute(m, obj, name, site) is not MISSING


@builtin("callable")
def callable_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    value = args[0]
    if isinstance(value, (Function, Bound, BoundName, Builtin, Class, External, Partial)):
        return True
    if type(value) is Obj:
        return value.cls.lookup("__call__") is not MISSING or value.cls.native_base() is not None
    return m.unknown("number", "callable", value) if type(value) is Unknown else False


@builtin("type")
def type_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    value = args[0]
    if len(args) == 3 and isinstance(value, str):
        bases = list(args[1].items) if type(args[1]) is Seq else []
        made = classes.define(m, value, bases, classes.body_of(args[2]), {}, site)
        m.defined_class(made)
        return made
    if type(value) is Obj:
        return value.cls
    if type(value) is Tensor:
        return m.external("torch.Tensor")
    if type(value) is Seq:
        return value.cls if value.cls is not None else BUILTINS.get(value.kind, Unknown())
    if type(value) is Dict:
        return BUILTINS["dict"]
    if not isinstance(value, Value):
        return BUILTINS.get(type(value).__name__, Unknown())
    return m.unknown("opaque", "type", value)


PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float,),
    "bool": (bool,),
    "str": (str,),
    "bytes": (bytes,),
    "complex": (complex,),
    "range": (range,),
    "slice": (slice,),
}
ABSTRACT = {"Iterable", "Sequence", "Collection", "Sized", "Container", "Iterator", "MutableSequence"}
NOT_HELD = ("list", "tuple", "set", "dict")
MAPPINGS = {"dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "Counter"}


@builtin("isinstance")
def isinstance_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    side = is_instance(m, args[0], args[1])
    return m.unknown("number", "isinstance", args[0], args[1]) if side is None else side


def is_instance(m: Machine, value: V, kind: V) -> bool | None:
    """`isinstance(value, kind)`; None where the machine cannot know."""
    if type(kind) is Seq:
        sides = [is_instance(m, value, k) for k in kind.items]
        return True if True in sides else None if None in sides else False
    if type(value) is Unknown:
        return _unknown_is(value, kind)
    if type(kind) is not Class:
        value = held(value)
    if type(kind) is Builtin:
        return _is_builtin(value, kind.name)
    if type(kind) is External:
        name = kind.path.rsplit(".", 1)[-1]
        if type(value) is Obj and (name in ABSTRACT or name in MAPPINGS):
            return any(c.name == name for c in value.cls.mro) or (None if value.cls.unresolved else False)
        if name in ABSTRACT:
            return isinstance(value, (Seq, Dict, Iter, str, range)) or type(value) is Tensor
        if name in MAPPINGS:
            return type(value) is Dict
        if name == "deque":
            return type(value) is Seq and value.kind == "deque"
        if name in ("Number", "Real", "Integral"):
            return isinstance(value, (int, float))
        if name == "Callable":
            return isinstance(value, (Function, Bound, Builtin, Class))
        return m.library.is_instance(m, value, kind)
    if type(kind) is Class:
        if type(value) is Obj:
            return kind in value.cls.mro or (None if value.cls.unresolved else False)
        if type(value) is Seq and value.cls is not None:
            return kind is value.cls
        return False
    return None


def _unknown_is(value: Unknown, kind: V) -> bool | None:
    if value.known is not MISSING:
        return type(kind) is Builtin and isinstance(value.known, PYTHON_TYPES.get(kind.name, ()))
    if value.kind == "number":
        if value.setting and value.believed is not MISSING and type(kind) is Builtin:
            return isinstance(value.believed, PYTHON_TYPES.get(kind.name, ()))
        if value.setting:
            return None
        return None if type(kind) is Builtin and kind.name in PYTHON_TYPES else False
    if value.kind == "data" and type(kind) is External and kind.path == "torch.Tensor":
        return True
    return None


def _is_builtin(value: V, name: str) -> bool | None:
    if name == "object":
        return True
    if name in PYTHON_TYPES:
        return isinstance(value, PYTHON_TYPES[name]) and not isinstance(value, Value)
    if name in ("list", "tuple", "set"):
        return type(value) is Seq and value.kind == name
    if name == "frozenset":
        return type(value) is Seq and value.kind == "set"
    if name == "dict":
        return type(value) is Dict
    if name == "type":
        return type(value) is Class
    if name in NOT_HELD and type(value) is Obj and not value.cls.unresolved:
        return False
    return False if not isinstance(value, Obj) else None


@builtin("issubclass")
def issubclass_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if type(args[0]) is Class and type(args[1]) is Class:
        return args[1] in args[0].mro
    return m.unknown("number", "issubclass", *args)


@builtin("property")
def property_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    made = Property(args[0] if args else None)
    if len(args) > 1:
        made.setter = args[1]
    return made


@builtin("staticmethod")
def staticmethod_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Static(args[0], False)


@builtin("classmethod")
def classmethod_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Static(args[0], True)


@builtin("slice")
def slice_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return slice(*args)


@builtin("object")
def object_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Obj(Class("object", [], {}))


def _exception(name: str) -> Builtin:
    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return errors.made(name, args)

    return Builtin(name, run)


for _name, _value in vars(builtins).items():
    if isinstance(_value, type) and issubclass(_value, BaseException):
        BUILTINS[_name] = _exception(_name)
BUILTINS["NotImplemented"] = Unknown("number", "NotImplemented")
BUILTINS["__name__"] = "__main__"
BUILTINS["__file__"] = Unknown("number", "__file__")
BUILTINS["__doc__"] = None
BUILTINS["__debug__"] = True
