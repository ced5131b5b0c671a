"""Python's standard library and a few everyday packages, as far as they move values about or decorate functions."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from itertools import count as count_from
from itertools import pairwise as pairwise_of
from typing import TYPE_CHECKING, Any

from secondpass.machine import commandline, containers, derived, settings
from secondpass.machine.builtins import BUILTINS, make_dict
from secondpass.machine.containers import collect
from secondpass.machine.native import Native
from secondpass.machine.operators import key_of
from secondpass.machine.values import (
    MISSING,
    Builtin,
    Class,
    Dict,
    Function,
    Iter,
    Obj,
    Partial,
    Property,
    Raised,
    Seq,
    Tensor,
    Unknown,
    V,
    Value,
    held,
)

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

Run = Callable[["Machine", list[V], dict[str, V], ast.AST], V]
FUNCTIONS: dict[str, Run] = {}
CONSTANTS: dict[str, V] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "torch.pi": math.pi,
    "torch.inf": math.inf,
    "numpy.pi": math.pi,
    "numpy.inf": math.inf,
    "typing.TYPE_CHECKING": False,
    "torch.version.cuda": None,
}
for _path, _name in {
    "builtins.dict": "dict",
    "builtins.list": "list",
    "typing.List": "list",
    "typing.Dict": "dict",
    "typing.Tuple": "tuple",
}.items():
    CONSTANTS[_path] = BUILTINS[_name]
NUMBERS = frozenset(
    (
        "math time random os sys logging datetime platform uuid shutil pathlib json csv yaml pickle re string hashlib"
    ).split()
)
"""Modules whose functions return nothing that could carry a graph."""
PASSES_THROUGH = frozenset(("tqdm", "rich", "alive_progress", "fastprogress"))
"""Modules that wrap an iterable and hand on its elements."""
HARMLESS = (
    NUMBERS
    | PASSES_THROUGH
    | frozenset(
        (
            "numpy scipy pandas matplotlib PIL cv2 sklearn wandb tensorboardX mlflow collections itertools "
            "functools typing abc warnings argparse copy contextlib dataclasses enum threading multiprocessing "
            "concurrent queue io gc glob subprocess tempfile traceback inspect types operator numbers decimal "
            "fractions statistics heapq bisect weakref signal socket gym gymnasium seaborn plotly torchvision "
            "torchaudio transformers_utils omegaconf hydra click typer loguru tabulate psutil absl h5py pprint "
            "textwrap struct secrets zipfile tarfile urllib requests unittest pytest numba jax tensorflow "
            "datasets nltk spacy sentencepiece tokenizers einops_exts imageio skimage networkx librosa soundfile "
            "torchmetrics"
        ).split()
    )
)
"""Packages that neither cut nor walk a graph that is handed to them, as far as training loops use them."""
PLAIN_BASES = frozenset(
    (
        "abc.ABC object typing.Generic typing.Protocol typing.NamedTuple enum.Enum enum.IntEnum enum.Flag "
        "typing.TypedDict collections.abc.Iterator collections.abc.Iterable collections.abc.Mapping"
    ).split()
)


def function(*paths: str) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        for path in paths:
            FUNCTIONS[path] = run
        return run

    return register


# --- functools, contextlib, dataclasses ---------------------------------------------------------------------------


@function("functools.partial")
def partial(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Partial(args[0], list(args[1:]), dict(kwargs)) if args else Unknown()


@function(
    "functools.wraps",
    "functools.singledispatch",
    "typing.overload",
    "atexit.register",
    "abc.abstractmethod",
    "typing.final",
    "functools.total_ordering",
    "typing.no_type_check",
    "typing.runtime_checkable",
    "dataclasses.KW_ONLY",
    "enum.unique",
    "typing_extensions.override",
    "typing.override",
)
def identity(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if args and isinstance(site, ast.Call):
        # `@wraps(f)`: a decorator that returns what it is given.
        return Builtin("wraps", lambda m, args, kwargs, site: args[0] if args else None)
    return args[0] if args else None


@function("functools.lru_cache", "functools.cache")
def lru_cache(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if args and type(args[0]) in (Function, Builtin, Partial):
        return _memoised(args[0], 128 if _called(site) == "lru_cache" else None)
    most = args[0] if args else kwargs.get("maxsize", 128)
    return Builtin("lru_cache", lambda m, more, named, site: _memoised(more[0], most if type(most) is int else None))


def _called(site: ast.AST) -> str:
    """The last part of the name by which a function is called."""
    func = site.func if isinstance(site, ast.Call) else site
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _memoised(fn: V, most: int | None) -> V:
    memo = _Memo(fn, most)
    if type(fn) is not Function:
        return Builtin("memoised", memo.call)
    # A function object of its own, so that a memoised method still binds.
    made = Function(fn.node, fn.name)
    for slot in Function.__slots__:
        setattr(made, slot, getattr(fn, slot))
    made.body = memo
    made.attrs = {**fn.attrs, "cache_clear": Builtin("cache_clear", memo.clear), "__wrapped__": fn}
    return made


class _Memo:
    """The body of a memoised function: runs the inner one once for each set of arguments it still knows."""

    def __init__(self, fn: V, most: int | None) -> None:
        self.fn = fn
        self.most = most
        self.known: dict[Any, V] = {}

    def run(self, frame: Any) -> V:
        key = tuple((k, key_of(v)) for k, v in frame.vars.items())
        return self._under(key, lambda: self.fn.body.run(frame))

    def call(self, m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        key = (tuple(key_of(a) for a in args), tuple((k, key_of(v)) for k, v in kwargs.items()))
        return self._under(key, lambda: m.call(self.fn, args, kwargs, site))

    def _under(self, key: Any, make: Callable[[], V]) -> V:
        value = self.known.pop(key, MISSING)
        if value is MISSING:
            value = make()
            if self.most is not None and len(self.known) >= self.most > 0:
                del self.known[next(iter(self.known))]
        if self.most != 0:
            self.known[key] = value
        return value

    def clear(self, m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        self.known.clear()
        return None


@function("functools.cached_property")
def cached_property(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Property(args[0], True)


@function("abc.abstractproperty")
def abstract_property(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Property(args[0])


@function("functools.reduce")
def reduce(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items, _ = collect(m, args[1])
    if len(args) > 2:
        items = [args[2], *items]
    if not items:
        return Unknown()
    total = items[0]
    for item in items[1:]:
        total = m.call(args[0], [total, item], {}, site)
    return total


@function("contextlib.contextmanager", "contextlib.asynccontextmanager")
def contextmanager(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return args[0]


@function("pytest.raises")
def expects(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.external("pytest.raises")


@function("contextlib.suppress")
def suppress(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.external("contextlib.suppress")


@function("contextlib.nullcontext", "contextlib.closing")
def nullcontext(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return args[0] if args else Unknown("number")


class _Stack(Native):
    """`contextlib.ExitStack`."""

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "enter_context":
            obj.attrs.setdefault("@entered", []).append(args[0])
            return m.enter(args[0], site)
        return None

    def leave(self, m: Machine, obj: Obj, site: ast.AST) -> None:
        for manager in reversed(obj.attrs.pop("@entered", [])):
            m.leave(manager, site)


@function("dataclasses.dataclass", "attr.s", "attr.dataclass", "attrs.define", "flax.struct.dataclass")
def dataclass(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if not args:
        return Builtin("dataclass", lambda m, more, named, site: dataclass(m, more, named, site))
    cls = args[0]
    if type(cls) is Class:
        cls.attrs["@fields"] = cls.attrs.get("@annotations", {})
    return cls


@function("dataclasses.field", "attr.ib", "attrs.field")
def field(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if "default_factory" in kwargs:
        return Partial(kwargs["default_factory"], [], {})
    return (
        kwargs.get("default", MISSING)
        if "default" in kwargs
        else Partial(Builtin("unset", lambda m, a, k, s: Unknown()), [], {})
    )


@function("dataclasses.replace", "copy.replace")
def replace(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if type(args[0]) is not Obj:
        return Unknown()
    made = Obj(args[0].cls)
    made.attrs = {**args[0].attrs, **kwargs}
    return made


@function("dataclasses.asdict")
def asdict(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Dict({k: (k, v) for k, v in args[0].attrs.items()}) if type(args[0]) is Obj else Unknown()


# --- copy ---------------------------------------------------------------------------------------------------------


@function("copy.copy")
def shallow(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    value = args[0]
    if type(value) is Tensor:
        # copy.copy(tensor) goes through a leaf of its own.
        return Tensor(None, value.storage, value.shape)
    if type(value) is Seq:
        return Seq(value.kind, list(value.items), value.open)
    if type(value) is Dict:
        return Dict(dict(value.items), value.default)
    if type(value) is Obj:
        made = Obj(value.cls)
        made.attrs = {k: _own(v) for k, v in value.attrs.items()}
        if "@inner" in made.attrs:
            made.attrs["@inner"] = shallow(m, [made.attrs["@inner"]], {}, site)
        return made
    return value


@function("copy.deepcopy")
def deep(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return deep_copy(m, args[0], {})


def _own(value: Any) -> Any:
    """What a native keeps in an object, for a copy of the object: tables of names are its own."""
    return value.copy() if type(value) is dict or type(value) is list else value


COPIED = ("@params", "@inner", "@dict")
"""What natives keep in an object that is its own."""


def deep_copy(m: Machine, value: V, known: dict[int, V]) -> V:
    """`copy.deepcopy`: leaves are copied, a tensor with history cannot be."""
    if not isinstance(value, Value) or type(value) in (Function, Class, Builtin, Unknown):
        return value
    found = known.get(id(value))
    if found is not None:
        return found
    if type(value) is Tensor:
        from secondpass.machine.autograd import node_of
        from secondpass.machine.graph import Leaf, Node

        if type(node_of(m, value)) is Node:
            raise Raised("only graph leaves support deepcopy", "RuntimeError")
        made: V = Tensor(None, None, value.shape)
        made.parameter = value.parameter
        if type(value.node) is Leaf:
            made.node = Leaf(made, m.site, m.chain)
        known[id(value)] = made
        return made
    if type(value) is Seq:
        made = Seq(value.kind, [], value.open)
        made.fields, made.cls, made.limit = value.fields, value.cls, value.limit
        made.count, made.gap = value.count, value.gap
        known[id(value)] = made
        made.items = [deep_copy(m, v, known) for v in value.items]
        return made
    if type(value) is Dict:
        made = Dict({}, value.default)
        known[id(value)] = made
        made.items = {k: (key, deep_copy(m, v, known)) for k, (key, v) in value.items.items()}
        return made
    if type(value) is Obj:
        made = Obj(value.cls)
        known[id(value)] = made
        made.attrs = {
            k: deep_copy(m, v, known) if not k.startswith("@") or k in COPIED else _own(v)
            for k, v in value.attrs.items()
        }
        return made
    return value


# --- collections, itertools ----------------------------------------------------------------------------------------


@function("collections.defaultdict")
def defaultdict(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    made = make_dict(m, args[1:], kwargs, site)
    made.default = args[0] if args and args[0] is not None else MISSING
    return made


FUNCTIONS["collections.OrderedDict"] = make_dict
FUNCTIONS["types.SimpleNamespace"] = lambda m, args, kwargs, site: _namespace(kwargs)


def _namespace(kwargs: dict[str, V]) -> Obj:
    made = Obj(Class("SimpleNamespace", [], {}))
    made.attrs = dict(kwargs)
    return made


@function("collections.Counter")
def counter(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    made = Dict({}, Builtin("int", lambda m, a, k, s: 0))
    made.open = bool(args)
    return made


@function("collections.deque")
def deque(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items, more = collect(m, args[0]) if args else ([], False)
    made = Seq("deque", items, more)
    limit = kwargs.get("maxlen", args[1] if len(args) > 1 else None)
    made.limit = limit if type(limit) is int else None
    return made


class NamedTuple(Native):
    """A class made by `namedtuple` or derived from `typing.NamedTuple`: its instances are tuples with names."""

    name = "typing.NamedTuple"

    def make(self, m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        fields: dict[str, V] = {}
        for one in reversed(cls.mro):
            fields.update(one.attrs.get("@annotations", {}))
        if not fields:
            return MISSING
        values = dict(zip(fields, args, strict=False))
        values.update(kwargs)
        for name, default in fields.items():
            values.setdefault(name, Unknown("opaque", name) if default is MISSING else default)
        made = Seq("tuple", [values[name] for name in fields])
        made.fields, made.cls = tuple(fields), cls
        return made


_NAMED = NamedTuple()
NATIVES: dict[str, Native] = {
    "typing.NamedTuple": _NAMED,
    "contextlib.ExitStack": _Stack(),
    **commandline.NATIVES,
    **derived.NATIVES,
}
FUNCTIONS.update(commandline.FUNCTIONS)


@function("collections.namedtuple")
def namedtuple(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    typename = args[0] if args else kwargs.get("typename")
    names = args[1] if len(args) > 1 else kwargs.get("field_names", "")
    if isinstance(names, str):
        listed = names.replace(",", " ").split()
    else:
        listed = [str(n) for n in names.items] if type(names) is Seq else []
    made = Class(typename if isinstance(typename, str) else "namedtuple", [], {}, _NAMED)
    given = kwargs.get("defaults")
    tail = list(given.items) if type(given) is Seq else []
    made.attrs["@annotations"] = {
        n: tail[i - (len(listed) - len(tail))] if i >= len(listed) - len(tail) else MISSING
        for i, n in enumerate(listed)
    }
    return made


@function("itertools.count")
def count(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    start = args[0] if args else kwargs.get("start", 0)
    step = args[1] if len(args) > 1 else kwargs.get("step", 1)
    if type(start) is int and type(step) is int:
        return Iter(count_from(start, step), True)
    return Unknown("number")


@function("itertools.cycle")
def cycle(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    def again() -> Any:
        for _ in range(1000):
            found = False
            for item in m.iterate(args[0]):
                found = True
                yield item
            if not found:
                return

    return Iter(again(), True)


@function("itertools.repeat")
def repeat(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if len(args) > 1 and type(args[1]) is int:
        return Seq("list", [args[0]] * min(args[1], 64))
    return Iter(iter(lambda: args[0], MISSING), True)


@function("itertools.chain")
def chain(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return _joined(m, args)


@function("itertools.chain.from_iterable")
def chain_from(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return _joined(m, collect(m, args[0])[0])


def _joined(m: Machine, sources: list[V]) -> Iter:
    def items() -> Any:
        for source in sources:
            if type(source) is Unknown:
                continue
            yield from m.iterate(source)

    return Iter(items(), any(containers.endless(s) and type(s) is not Unknown for s in sources))


@function("itertools.islice")
def islice(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    bounds = args[1:]
    if any(type(b) is not int and b is not None for b in bounds):
        return Iter(iter(m.iterate(args[0])), True)

    def items() -> Any:
        start, stop, step = (
            (0, bounds[0], 1) if len(bounds) == 1 else (bounds[0] or 0, bounds[1], (bounds[2:] or [1])[0] or 1)
        )
        for i, item in enumerate(m.iterate(args[0])):
            if stop is not None and i >= stop:
                return
            if i >= start and (i - start) % step == 0:
                yield item

    return Iter(items())


@function("itertools.product", "itertools.permutations", "itertools.combinations", "itertools.zip_longest")
def combinations(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    import itertools

    sources = [collect(m, a)[0][:6] for a in args if not isinstance(a, int)]
    name = site.func.attr if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute) else "product"
    if name in ("permutations", "combinations"):
        size = args[1] if len(args) > 1 and isinstance(args[1], int) else 2
        rows: Any = getattr(itertools, name)(sources[0], size)
    elif name == "zip_longest":
        rows = itertools.zip_longest(*sources)
    else:
        repeat_ = kwargs.get("repeat", 1)
        rows = itertools.product(*sources, repeat=repeat_ if isinstance(repeat_, int) else 1)
    return Seq("list", [Seq("tuple", list(row)) for row in itertools.islice(rows, 64)])


@function("itertools.accumulate")
def accumulate(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    from secondpass.machine import operators

    out: list[V] = []
    for item in collect(m, args[0])[0]:
        if not out:
            out.append(item)
        elif len(args) > 1:
            out.append(m.call(args[1], [out[-1], item], {}, site))
        else:
            out.append(operators.binary(m, ast.Add, out[-1], item, site))
    return Seq("list", out)


@function("itertools.pairwise")
def pairwise(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items, more = collect(m, args[0])
    return Seq("list", [Seq("tuple", [a, b]) for a, b in pairwise_of(items)], more)


@function("operator.attrgetter", "operator.itemgetter")
def getter(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    name = site.func.attr if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute) else "itemgetter"
    if name == "attrgetter":
        return Builtin("attrgetter", lambda m, more, named, site: m.getattr(more[0], args[0], site))
    return Builtin("itemgetter", lambda m, more, named, site: containers.get_item(m, more[0], args[0], site))


# --- random, math --------------------------------------------------------------------------------------------------


@function("random.choice", "numpy.random.choice", "secrets.choice")
def choice(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if len(args) > 1 or "size" in kwargs:
        return Unknown("data")
    source = held(args[0])
    if type(source) is Seq and source.items and not source.open:
        if all(containers.plain(x) and isinstance(x, Value) for x in source.items):
            return source.items[0]
        return settings.drawn(m, source.items, site)
    return source.items[0] if type(source) is Seq and source.items else Unknown("number")


@function("random.sample", "random.choices")
def sample(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    source = held(args[0])
    k = args[1] if len(args) > 1 else kwargs.get("k", 1)
    if type(source) is Seq:
        return Seq("list", list(source.items[: k if type(k) is int else None]), source.open or type(k) is not int)
    if isinstance(source, range):
        # Each number comes once; which they are makes no difference.
        most = k if type(k) is int else 2
        return Seq("list", list(source[: min(most, containers.MOST)]), type(k) is not int or k > containers.MOST)
    return Unknown("data")


@function("random.shuffle")
def shuffle(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return None


def _math(name: str) -> Run:
    real = getattr(math, name)

    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if args and all(isinstance(a, (int, float)) for a in args):
            try:
                return real(*args)
            except (ValueError, OverflowError, TypeError):
                return Unknown("number")
        return m.unknown("number", f"math.{name}", *args)

    return run


for _name in ("ceil floor sqrt log exp cos sin pow log2 log10 gcd prod isnan isinf fabs tanh").split():
    FUNCTIONS[f"math.{_name}"] = _math(_name)


@function(
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
    "tqdm.std.tqdm",
    "rich.progress.track",
    "tqdm.rich.tqdm",
    "tqdm.asyncio.tqdm",
)
def tqdm(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    source = args[0] if args else kwargs.get("iterable")
    return source if source is not None else Unknown("number")


@function("tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange")
def trange(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.call(BUILTINS["range"], args, {}, site)


@function("typing.cast", "typing.assert_type")
def cast(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return args[1] if len(args) > 1 else Unknown()


@function("weakref.ref", "weakref.proxy")
def weak(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return args[0]


@function("sys.exit", "os._exit")
def leave(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    raise Raised(None, "SystemExit")
