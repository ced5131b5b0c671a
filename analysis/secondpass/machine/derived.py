"""Classes that derive from list, dict, set, deque and their like, or from the abstract ones of collections.abc.

An instance of the first kind holds a plain container (`held`), to which everything goes that its class does not do
itself. One of the second kind has only what its class says: `update`, `items`, `append` are made of its own
`__getitem__`, `__setitem__`, `__iter__`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from secondpass.machine import containers
from secondpass.machine.containers import DICT_METHODS, SEQ_METHODS, del_item, get_item, set_item
from secondpass.machine.native import Native
from secondpass.machine.settings import setting
from secondpass.machine.values import MISSING, Class, Dict, Function, Iter, Obj, Raised, Seq, Unknown, V, held

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

SEQUENCES = ("list", "tuple", "set", "frozenset", "deque")


class Holding(Native):
    """A class that derives from a container."""

    def __init__(self, kind: str) -> None:
        self.name = self.kind = kind
        self.methods = SEQ_METHODS if kind in SEQUENCES else DICT_METHODS

    def inner(self, obj: Obj) -> V:
        """What an instance holds."""
        found = obj.attrs.get("@inner")
        if found is None:
            kind = "set" if self.kind == "frozenset" else self.kind
            found = obj.attrs["@inner"] = Seq(kind, []) if self.kind in SEQUENCES else Dict()
        return found

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        inner = self.inner(obj)
        if type(inner) is Dict:
            if self.kind == "defaultdict" and args:
                inner.default = MISSING if args[0] is None else args[0]
                args = args[1:]
            containers.method(m, inner, "update", args, kwargs, site)
            return
        if self.kind == "deque":
            limit = kwargs.get("maxlen", args[1] if len(args) > 1 else None)
            inner.limit = limit if type(limit) is int else None
        if args:
            containers.method(m, inner, "update" if inner.kind == "set" else "extend", args[:1], {}, site)

    def has_method(self, name: str) -> bool:
        return name in self.methods

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name not in self.methods:
            return MISSING
        inner = self.inner(obj)
        if name == "__getitem__" and type(inner) is Dict:
            return self.get_item(m, obj, args[0], site)
        return containers.method(m, inner, name, args, kwargs, site)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name == "@keys":
            return self.inner(obj)
        return self.inner(obj).limit if name == "maxlen" and self.kind == "deque" else MISSING

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return m.iterate(self.inner(obj))

    def length(self, m: Machine, obj: Obj) -> V:
        return containers.length(m, self.inner(obj))

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        inner = self.inner(obj)
        absent = obj.cls.lookup("__missing__")
        if type(inner) is Dict and type(absent) is Function and containers.look_up(inner, index) is MISSING:
            return m.call(absent, [obj, index], {}, site)
        return get_item(m, inner, index, site)

    def set_item(self, m: Machine, obj: Obj, index: V, value: V, site: ast.AST) -> bool:
        set_item(m, self.inner(obj), index, value, site)
        return True


class Shown(Holding):
    """A dict whose keys are its attributes too: `EasyDict`, `Munch`, what OmegaConf makes. So are dicts inside it."""

    def __init__(self, kind: str = "dict") -> None:
        super().__init__(kind)

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        inner = self.inner(obj)
        for key, (name, value) in list(inner.items.items()):
            inner.items[key] = (name, self._shown(m, obj, value, site))

    def _shown(self, m: Machine, obj: Obj, value: V, site: ast.AST) -> V:
        if type(value) is Dict:
            made = Obj(obj.cls)
            self.init(m, made, [value], {}, site)
            return made
        return value

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        found = super().attribute(m, obj, name, site)
        if found is MISSING and name[0] not in "_@" and name not in self.methods:
            inner = self.inner(obj)
            found = containers.look_up(inner, name)
            if found is MISSING and inner.open:
                return get_item(m, inner, name, site)
        return found

    def store(self, m: Machine, obj: Obj, name: str, value: V, site: ast.AST) -> bool:
        if name[0] in "_@":
            return False
        set_item(m, self.inner(obj), name, self._shown(m, obj, value, site), site)
        return True


MAPPING = frozenset("get setdefault pop popitem update items keys values clear __contains__".split())
SEQUENCE = frozenset("append extend insert pop remove reverse index count clear __contains__".split())


class Mixed(Native):
    """A class that derives from `Mapping`, `MutableSequence` or the like: what it inherits goes through its own
    methods."""

    def __init__(self, name: str, methods: frozenset[str]) -> None:
        self.name = name
        self.methods = methods

    def has_method(self, name: str) -> bool:
        return name in self.methods

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name == "@keys" and type(obj.cls.lookup("__iter__")) is Function:
            found, more = m.collect(obj)
            return Seq("list", found, more)
        return MISSING

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        run = getattr(self, f"{'map' if self.methods is MAPPING else 'seq'}_{name}", None)
        return MISSING if run is None else run(m, obj, args, kwargs, site)

    def entry(self, m: Machine, obj: Obj, key: V, site: ast.AST) -> V:
        """`obj[key]`; MISSING if that is a KeyError."""
        m.trying += 1
        try:
            return get_item(m, obj, key, site)
        except Raised as raised:
            if raised.name != "KeyError":
                raise
            return MISSING
        finally:
            m.trying -= 1

    def map_get(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        found = self.entry(m, obj, args[0], site)
        return (args[1] if len(args) > 1 else kwargs.get("default")) if found is MISSING else found

    def map_setdefault(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        found = self.entry(m, obj, args[0], site)
        if found is MISSING:
            found = args[1] if len(args) > 1 else None
            set_item(m, obj, args[0], found, site)
        return found

    def map_pop(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        found = self.entry(m, obj, args[0], site)
        if found is MISSING:
            return args[1] if len(args) > 1 else m.oops("KeyError", "key")
        del_item(m, obj, args[0], site)
        return found

    def map_update(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for key, value in pairs(m, args, kwargs, site):
            set_item(m, obj, key, value, site)
        return None

    def map_items(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        keys, more = m.collect(obj)
        return Seq("list", [Seq("tuple", [k, get_item(m, obj, k, site)]) for k in keys], more)

    def map_keys(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Seq("list", *m.collect(obj))

    def map_values(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        keys, more = m.collect(obj)
        return Seq("list", [get_item(m, obj, k, site) for k in keys], more)

    def map_clear(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for key in m.collect(obj)[0]:
            del_item(m, obj, key, site)
        return None

    def map_popitem(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        keys, _ = m.collect(obj)
        if not keys:
            return m.oops("KeyError", "empty")
        return Seq("tuple", [keys[0], self.map_pop(m, obj, [keys[0]], {}, site)])

    def map___contains__(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return self.entry(m, obj, args[0], site) is not MISSING

    def seq_append(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return m.call_method(obj, "insert", [containers.length(m, obj), args[0]], {}, site)

    def seq_extend(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for item in m.collect(args[0])[0]:
            m.call_method(obj, "append", [item], {}, site)
        return None

    def seq_pop(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        index = args[0] if args else -1
        found = get_item(m, obj, index, site)
        del_item(m, obj, index, site)
        return found

    def seq_clear(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for _ in m.collect(obj)[0]:
            self.seq_pop(m, obj, [], {}, site)
        return None


class User(Mixed):
    """`UserDict`, `UserList`: over a plain container in `self.data`."""

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        if self.methods is MAPPING:
            obj.attrs["data"] = Dict()
            self.map_update(m, obj, args, kwargs, site)
        else:
            obj.attrs["data"] = Seq("list", *(m.collect(args[0]) if args else ([], False)))

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        data = obj.attrs.get("data")
        if data is not None and (self.methods is SEQUENCE or name in ("__getitem__", "__setitem__", "__delitem__")):
            return containers.method(m, data, name, args, kwargs, site)
        return super().method(m, obj, name, args, kwargs, site)

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        return get_item(m, obj.attrs.get("data", Unknown()), index, site)

    def set_item(self, m: Machine, obj: Obj, index: V, value: V, site: ast.AST) -> bool:
        set_item(m, obj.attrs.get("data", Unknown()), index, value, site)
        return True

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return m.iterate(obj.attrs.get("data", Unknown()))

    def length(self, m: Machine, obj: Obj) -> V:
        return containers.length(m, obj.attrs.get("data", Unknown()))

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        return obj.attrs.get("data", MISSING) if name == "@keys" else MISSING


def pairs(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> list[tuple[V, V]]:
    """What `dict(...)` and `update(...)` are given, as keys and values."""
    found: list[tuple[V, V]] = []
    for arg in args:
        source = held(arg)
        if type(source) is Dict:
            found += list(source.items.values())
        elif type(source) is Obj and m.truth(source.cls.lookup("keys") is not MISSING or _maps(source)):
            found += [(k, get_item(m, source, k, site)) for k in m.collect(source)[0]]
        elif type(source) in (Seq, Iter):
            rows = [row for row in m.collect(source)[0] if type(row) is Seq and len(row.items) == 2]
            found += [(row.items[0], row.items[1]) for row in rows]
    return found + list(kwargs.items())


def _maps(obj: Obj) -> bool:
    native = obj.cls.native_base()
    return isinstance(native, Mixed) and native.methods is MAPPING


def _both(name: str, native: Native) -> dict[str, Native]:
    return {f"{home}.{name}": native for home in ("collections.abc", "typing", "collections")}


NATIVES: dict[str, Native] = {
    **{kind: Holding(kind) for kind in ("list", "dict", "tuple", "set", "frozenset")},
    **{f"typing.{kind.title()}": Holding(kind) for kind in ("list", "dict", "tuple", "set")},
    "collections.OrderedDict": Holding("dict"),
    "typing.OrderedDict": Holding("dict"),
    "collections.Counter": Holding("dict"),
    "collections.defaultdict": Holding("defaultdict"),
    "typing.DefaultDict": Holding("defaultdict"),
    "collections.deque": Holding("deque"),
    "typing.Deque": Holding("deque"),
    "collections.UserDict": User("UserDict", MAPPING),
    "collections.UserList": User("UserList", SEQUENCE),
    **_both("Mapping", Mixed("Mapping", MAPPING)),
    **_both("MutableMapping", Mixed("MutableMapping", MAPPING)),
    **_both("Sequence", Mixed("Sequence", SEQUENCE)),
    **_both("MutableSequence", Mixed("MutableSequence", SEQUENCE)),
    **{
        path: Shown()
        for path in (
            "easydict.EasyDict",
            "munch.Munch",
            "addict.Dict",
            "box.Box",
            "ml_collections.ConfigDict",
            "ml_collections.config_dict.ConfigDict",
            "omegaconf.DictConfig",
            "omegaconf.dictconfig.DictConfig",
            "yacs.config.CfgNode",
            "fvcore.common.config.CfgNode",
            "attrdict.AttrDict",
            "dotmap.DotMap",
        )
    },
}


SHOWN = Shown()


def shown(m: Machine, sources: list[V], site: ast.AST) -> Obj:
    """One configuration of several, the later ones over the earlier: `OmegaConf.merge` and its like."""
    made = Obj(Class("DictConfig", [], {}, SHOWN))
    SHOWN.init(m, made, [], {}, site)
    for source in sources:
        _merge(m, made, source, site)
    return made


def _merge(m: Machine, made: Obj, source: V, site: ast.AST) -> None:
    inner = SHOWN.inner(made)
    if type(held(source)) is not Dict and not (type(source) is Obj and source.cls.native_base() is None):
        # A file, or the command line: any entry may be another, and there may be more.
        inner.open = True
        for key, (name, value) in list(inner.items.items()):
            if isinstance(value, Obj):
                _merge(m, value, source, site)
            else:
                inner.items[key] = (name, setting(f"cfg.{name}", value))
        return
    entries = list(held(source).items.values()) if type(held(source)) is Dict else _fields(source)
    for name, value in entries:
        before = containers.look_up(inner, name)
        if isinstance(before, Obj) and type(held(value)) is Dict:
            _merge(m, before, value, site)
        else:
            SHOWN.store(m, made, name, value, site)


def _fields(obj: Obj) -> list[tuple[V, V]]:
    """The fields of a structured configuration."""
    return [(name, value) for name, value in obj.attrs.items() if name[0] not in "_@"]
