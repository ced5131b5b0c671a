"""Classes in the making, and what `object` and `type` do for every one of them.

`class X(Base, metaclass=Meta)` and `type(name, bases, body)` come here: `Meta.__new__` may make the class, the classes
above are told of it (`__init_subclass__`), and so is what it holds (`__set_name__`). The members of an Enum are made.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from secondpass.machine import containers, enums
from secondpass.machine.operators import key_of
from secondpass.machine.values import (
    MISSING,
    BoundName,
    Builtin,
    Class,
    Dict,
    External,
    Function,
    Obj,
    Property,
    Seq,
    Static,
    Super,
    Unknown,
    V,
    held,
)
from secondpass.machine.views import Attributes

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

CONTAINERS = frozenset(("dict", "list", "tuple", "set", "frozenset", "str"))


def define(m: Machine, name: str, bases: list[V], attrs: dict[str, V], keywords: dict[str, V], site: ast.AST) -> Class:
    """The class that a `class` statement makes; its body has left these names."""
    meta = keywords.pop("metaclass", None)
    above = [m.library.as_class(m, b) if type(b) in (External, Builtin) else b for b in bases]
    if type(meta) is not Class:
        meta = next((b.meta for b in above if type(b) is Class and b.meta is not None), None)
    if meta is None:
        return make(m, name, above, attrs, None, keywords, site)
    body, args = Dict(Attributes(attrs)), [name, Seq("tuple", list(above))]
    own = meta.lookup("__new__")
    if type(own) is Function:
        cls = m.call(own, [meta, *args, body], dict(keywords), site)
        if type(cls) is not Class:
            return make(m, name, above, attrs, meta, {}, site)
    else:
        cls = make(m, name, above, attrs, meta, keywords, site)
    for key, value in attrs.items():
        if key.startswith("@"):
            cls.attrs.setdefault(key, value)
    begin = meta.lookup("__init__")
    if type(begin) is Function:
        m.call(begin, [cls, *args, body], dict(keywords), site)
    return cls


def make(
    m: Machine,
    name: str,
    bases: list[V],
    attrs: dict[str, V],
    meta: Class | None,
    keywords: dict[str, V],
    site: ast.AST,
) -> Class:
    """What `type.__new__` does."""
    cls = Class(name, [b for b in bases if b is not None], attrs)
    cls.meta = meta
    for value in attrs.values():
        for fn in _functions(value):
            if fn.owner is None:
                fn.owner = cls
    if any(c.name in enums.ENUMS for c in cls.mro[1:]):
        enums.make_members(cls)
    for key, value in list(attrs.items()):
        if type(value) is Obj and type(told := value.cls.lookup("__set_name__")) is Function:
            m.call(told, [value, cls, key], {}, site)
    found = next((c.attrs["__init_subclass__"] for c in cls.mro[1:] if "__init_subclass__" in c.attrs), None)
    told = found.func if type(found) is Static else found
    if type(told) is Function:
        m.call(told, [cls], dict(keywords), site)
    return cls


def _functions(value: V) -> list[Function]:
    if type(value) is Function:
        return [value]
    if type(value) is Property:
        return [g for g in (value.getter, value.setter) if type(g) is Function]
    if type(value) is Static and type(value.func) is Function:
        return [value.func]
    return []


def default_method(m: Machine, obj: V, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """What `object` and `type` do, where no class in sight does it; `obj` is the instance, or the class."""
    if name == "__setattr__" and type(obj) is Obj:
        m.store(obj, args[0], args[1], site)
        return None
    if name == "__delattr__" and type(obj) is Obj:
        obj.attrs.pop(args[0], None)
        return None
    if name == "__getattribute__":
        return m.getattr(obj, args[0], site)
    if type(obj) is Class:
        if name == "__new__":
            return _new(m, args[0] if args and type(args[0]) is Class else obj, args[1:], kwargs, site)
        if name == "__call__":
            return m.instantiate(obj, args, kwargs, site)
    return None if name in ("__init__", "__init_subclass__", "__set_name__", "__post_init__") else Unknown()


def _new(m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if any(c.name == "type" for c in cls.mro) and len(args) == 3 and isinstance(args[0], str):
        bases = list(args[1].items) if type(args[1]) is Seq else []
        return make(m, args[0], bases, body_of(args[2]), cls, kwargs, site)
    return Obj(cls)


def body_of(body: V) -> dict[str, V]:
    """The names of a class's body, out of the dict that a metaclass was handed."""
    if type(body) is not Dict:
        return {}
    if isinstance(body.items, Attributes):
        return body.items.attrs
    return {key: value for key, (_, value) in body.items.items() if isinstance(key, str)}


def type_method(kind: str, name: str) -> V:
    """`dict.get`, `list.append`, `object.__setattr__`: a method of one of Python's types, with its object first."""
    if not hasattr(getattr(builtins, kind, None), name) or not (kind in CONTAINERS or kind in ("object", "type")):
        return MISSING

    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "fromkeys":
            keys, more = m.collect(args[0])
            made = Dict({key_of(k): (k, args[1] if len(args) > 1 else None) for k in keys})
            made.open = more
            return made
        if not args:
            return Unknown()
        obj, rest = args[0], args[1:]
        if kind in ("object", "type") or name == "__new__":
            return default_method(m, obj, name, args if name == "__new__" else rest, kwargs, site)
        if type(obj) is Obj:
            native = obj.cls.native_base()
            if native is not None and name == "__init__":
                native.init(m, obj, rest, kwargs, site)
                return None
            result = native.method(m, obj, name, rest, kwargs, site) if native is not None else MISSING
            return Unknown() if result is MISSING else result
        return containers.method(m, held(obj), name, rest, kwargs, site)

    return Builtin(f"{kind}.{name}", run)


def call_super(m: Machine, sup: Super, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`super().name(...)` where no class in sight has it: the library's class, or `object`."""
    obj = sup.self
    native = obj.cls.native_base() if type(obj) is Obj else None
    if native is None or name == "__setattr__":
        return default_method(m, obj, name, args, kwargs, site)
    if name == "__init__":
        native.init(m, obj, args, kwargs, site)
        return None
    if name == "__getattr__" and args:
        value = obj.attrs.get(args[0], MISSING)
        value = native.attribute(m, obj, args[0], site) if value is MISSING else value
        if value is MISSING and native.has_method(args[0]):
            return BoundName(obj, args[0])
        return m.oops("AttributeError", f"no attribute {args[0]!r}") if value is MISSING else value
    if name == "__call__":
        return native.call(m, obj, args, kwargs, site)
    result = native.method(m, obj, name, args, kwargs, site)
    return default_method(m, obj, name, args, kwargs, site) if result is MISSING else result
