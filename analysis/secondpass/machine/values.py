"""What the machine computes with: values that carry no numbers but everything that decides the error.

Python's own constants (None, booleans, integers, floats, strings, Ellipsis) stand for themselves. Everything else is
one of the classes below. Identity matters throughout: two names bound to one list share it here as they do in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, MutableMapping
from typing import Any, TypeAlias

from secondpass.machine.graph import Leaf, Node, Storage

V: TypeAlias = Any
"""Any value of the machine: a Python constant or a `Value`."""


class Missing:
    """The type of MISSING: no value at all (an unbound name, an absent key)."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Value:
    """Base of all values that are not Python constants."""

    __slots__ = ()


class Unknown(Value):
    """Something the machine cannot see. Attributes and elements spring up when first used and stay the same.

    `kind` is what is known of it all the same: "number" (a Python scalar), "data" (a tensor or array that carries no
    history), "opaque" (may be anything, even a tensor with history), "module" (a callable with trainable parameters).
    """

    __slots__ = (
        "attrs",
        "believed",
        "history",
        "items",
        "kind",
        "known",
        "label",
        "least",
        "options",
        "origin",
        "setting",
        "truth",
        "whole",
    )

    def __init__(self, kind: str = "opaque", label: str = "") -> None:
        self.kind = kind
        self.label = label
        self.attrs: dict[str, V] | None = None
        self.items: dict[Any, V] | None = None
        self.truth: bool | None = None
        self.known: V = MISSING
        # The length of a list that was cut short: it is not known, but no less than this.
        self.least: int | None = None
        # Whether it comes from outside of the program (settings.py), what it then is by default, and what it may be.
        self.setting = False
        self.believed: V = MISSING
        self.options: list[V] | None = None
        self.origin: tuple[Unknown, Callable[[V], V]] | None = None
        # What a module that is not seen returns: its tensors, whatever holds them, come from this node.
        self.history: Node | None = None
        # What it is a part of: an attribute or an element.
        self.whole: Unknown | None = None

    def tensor(self) -> Tensor:
        """This unknown, used as a tensor: the same one each time."""
        if self.attrs is None:
            self.attrs = {}
        made = self.attrs.get("@tensor")
        if made is None:
            made = self.attrs["@tensor"] = Tensor(self.history)
        return made

    def part(self, label: str) -> Unknown:
        """An attribute or element of this unknown: it shares its history."""
        made = Unknown("opaque" if self.kind == "module" else self.kind, label)
        made.history = self.history
        made.setting = self.setting
        made.whole = self
        return made

    def cut(self) -> None:
        """Its tensors lost their history in place, and so did those of what it is a part of."""
        found: Unknown | None = self
        while found is not None and found.history is not None:
            found.history = None
            if found.attrs is not None and "@tensor" in found.attrs:
                found.attrs["@tensor"].node = None
            found = found.whole


class Tensor(Value):
    """A tensor: which autograd node produced it, and which memory it shares."""

    __slots__ = ("attrs", "base", "epoch", "fed", "grad", "integral", "node", "parameter", "shape", "storage")

    fed: tuple[int, ...]
    """Of a gradient that walks left behind: those walks, by their order."""

    def __init__(
        self, node: Node | Leaf | None = None, storage: Storage | None = None, shape: tuple[V, ...] | None = None
    ) -> None:
        self.node = node
        self.storage = storage or Storage()
        self.shape = shape
        self.base: Tensor | None = None
        self.epoch = 0
        self.grad: Tensor | None = None
        self.parameter = False
        self.integral = False
        self.attrs: dict[str, V] | None = None


class Seq(Value):
    """A list, tuple, set or deque. `open` says there may be more elements than are listed."""

    __slots__ = ("cls", "count", "fields", "gap", "items", "kind", "limit", "more", "open")

    def __init__(self, kind: str, items: list[V], open: bool = False) -> None:
        self.kind = kind
        self.items = items
        self.open = open
        # Of an open one: how many elements it has, where that is known; and how many are listed before those that are
        # not (a loop left iterations out that would have put them there).
        self.count: int | None = None
        self.gap: int | None = None
        self.limit: int | None = None
        # Makes the elements that are not listed yet, one at a time, for whoever asks (a long list of batches).
        self.more: Any = None
        self.fields: tuple[str, ...] | None = None
        self.cls: V = None


class Dict(Value):
    """A dict. Keys are Python constants, tuples of them, or the identity of a value."""

    __slots__ = ("default", "items", "open", "several")

    def __init__(self, items: MutableMapping[Any, tuple[V, V]] | None = None, default: V = MISSING) -> None:
        self.items: MutableMapping[Any, tuple[V, V]] = {} if items is None else items
        self.default = default
        self.open = False
        # Whether it was asked for what is under several keys that are not known.
        self.several = False


class Function(Value):
    """A function of the program, with the frame it closes over."""

    __slots__ = (
        "attrs",
        "body",
        "closure",
        "defaults",
        "generator",
        "kw_defaults",
        "module",
        "name",
        "node",
        "owner",
        "params",
        "wrappers",
    )

    def __init__(self, node: Any, name: str) -> None:
        self.node = node
        self.name = name
        self.body: Any = None
        self.params: Any = None
        self.closure: Any = None
        self.module: Any = None
        self.defaults: list[V] = []
        self.kw_defaults: dict[str, V] = {}
        self.owner: Class | None = None
        self.generator = False
        self.wrappers: list[Any] = []
        self.attrs: dict[str, V] = {}


class Class(Value):
    """A class: of the program, or of a library (then `native` holds its facts)."""

    __slots__ = ("attrs", "bases", "meta", "mro", "name", "native", "node", "unresolved")

    def __init__(self, name: str, bases: list[V], attrs: dict[str, V], native: Any = None) -> None:
        self.name = name
        self.bases = bases
        self.attrs = attrs
        self.native = native
        self.node: ast.ClassDef | None = None
        # The class of the program that this class is an instance of, if that is not `type`.
        self.meta: Class | None = None
        self.mro: list[Class] = [self]
        self.unresolved = False
        for base in bases:
            if isinstance(base, Class):
                self.unresolved = self.unresolved or base.unresolved
                self.mro = (
                    [c for c in self.mro if c not in base.mro] + base.mro
                    if len(bases) == 1
                    else _merge(self.mro, base.mro)
                )
            else:
                self.unresolved = True

    def lookup(self, name: str) -> V:
        for cls in self.mro:
            found = cls.attrs.get(name, MISSING)
            if found is not MISSING:
                return found
        return MISSING

    def native_base(self) -> Any:
        for cls in self.mro:
            if cls.native is not None:
                return cls.native
        return None


def _merge(first: list[Class], second: list[Class]) -> list[Class]:
    """Keep the order of both lists, common bases last: enough of C3 for the hierarchies people write."""
    return [c for c in first if c not in second] + second


class Obj(Value):
    """An instance. For a library's class, `native` state lives in `attrs` under names that start with `@`."""

    __slots__ = ("attrs", "cls", "compiled")

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.attrs: dict[str, V] = {}
        self.compiled = False


class Bound(Value):
    """A function bound to an object."""

    __slots__ = ("func", "self")

    def __init__(self, func: V, self_: V) -> None:
        self.func = func
        self.self = self_


class BoundName(Value):
    """A method of a tensor, container or library object, not yet called: `f = losses.append`."""

    __slots__ = ("name", "self")

    def __init__(self, self_: V, name: str) -> None:
        self.self = self_
        self.name = name


class Builtin(Value):
    """A function of Python or of a library that the machine knows: `run(machine, args, kwargs, site)`."""

    __slots__ = ("name", "run")

    def __init__(self, name: str, run: Callable[..., V]) -> None:
        self.name = name
        self.run = run


class External(Value):
    """A name of a library, by its dotted path. `torch.nn.functional` and `F` are the same value."""

    __slots__ = ("attrs", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.attrs: dict[str, V] = {}


class Partial(Value):
    """`functools.partial(func, *args, **kwargs)`."""

    __slots__ = ("args", "func", "kwargs")

    def __init__(self, func: V, args: list[V], kwargs: dict[str, V]) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs


class Iter(Value):
    """An iterator that is under way: a Python iterator over values, and whether it may go on for ever.

    `alike` says that one element is as good as another (batches of data), so that a loop over it may stop early.
    """

    __slots__ = ("alike", "endless", "size", "source")

    def __init__(self, source: Any, endless: bool = False, alike: bool = False, size: int | None = None) -> None:
        self.source = source
        self.endless = endless
        self.alike = alike or endless
        self.size = size


class Property(Value):
    """`@property`, or `functools.cached_property` when `cached`."""

    __slots__ = ("cached", "getter", "setter")

    def __init__(self, getter: V, cached: bool = False) -> None:
        self.getter = getter
        self.setter: V = None
        self.cached = cached


class Static(Value):
    """`@staticmethod` or (`cls` true) `@classmethod`."""

    __slots__ = ("cls", "func")

    def __init__(self, func: V, cls: bool) -> None:
        self.func = func
        self.cls = cls


class Module(Value):
    """A file of the project that was imported."""

    __slots__ = ("name", "vars")

    def __init__(self, name: str, vars: dict[str, V]) -> None:
        self.name = name
        self.vars = vars


class Lazy(Value):
    """A name imported from another file of the project, not looked at before it is used: most imports never are."""

    __slots__ = ("busy", "home", "resolve")

    def __init__(self, resolve: Callable[[], V], home: tuple[str, int]) -> None:
        self.resolve = resolve
        # The module it comes from, and how many dots stand before its name.
        self.home = home
        # `from . import utils` inside a package asks the package for the very name that it is binding.
        self.busy = False

    def settle(self, vars: dict[str, V], key: str) -> V:
        """What the name stands for; it stands for that from now on. MISSING in a circle of imports."""
        if self.busy:
            return MISSING
        self.busy = True
        vars[key] = value = self.resolve()
        return value


class Super(Value):
    """`super()` inside a method."""

    __slots__ = ("owner", "self")

    def __init__(self, owner: Class, self_: V) -> None:
        self.owner = owner
        self.self = self_


class Raised(Exception):
    """A Python exception travelling through the analysed program."""

    def __init__(self, value: V, name: str = "Exception") -> None:
        self.value = value
        self.name = name
        # The error that was being handled when this one was raised: it is past only when this one is.
        self.because: Raised | None = None


def is_tensor(value: V) -> bool:
    return type(value) is Tensor


def constant(value: V) -> bool:
    """Whether a value is a Python constant that stands for itself."""
    return not isinstance(value, Value)


def tensors_in(value: V, depth: int = 4) -> list[Tensor]:
    """The tensors inside a value: itself, or elements of nested containers."""
    if type(value) is Tensor:
        return [value]
    if type(value) is Obj:
        value = held(value)
    if depth and type(value) is Seq:
        return [t for item in value.items for t in tensors_in(item, depth - 1)]
    if depth and type(value) is Dict:
        return [t for _, item in value.items.values() for t in tensors_in(item, depth - 1)]
    return []


def held(value: V) -> V:
    """The list or dict inside an instance of a class that derives from one; any other value itself."""
    return value.attrs.get("@inner", value) if type(value) is Obj else value
