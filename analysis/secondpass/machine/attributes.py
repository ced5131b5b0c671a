"""Attributes: `obj.name` and `obj.name = value` on every kind of value.

The order is Python's: what the class says of it (a property, a descriptor, `__setattr__`), the object's own attributes,
the class, what the library's class adds, and at last `__getattr__`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine import containers
from secondpass.machine.classes import default_method, type_method
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
    Lazy,
    Obj,
    Partial,
    Property,
    Raised,
    Seq,
    Static,
    Super,
    Tensor,
    Unknown,
    V,
    Value,
    tensors_in,
)
from secondpass.machine.views import Attributes, namespace

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


def get_attribute(m: Machine, obj: V, name: str, site: ast.AST) -> V:
    """`obj.name`, or an AttributeError in the analysed program."""
    found = probe_attribute(m, obj, name, site)
    if found is MISSING:
        return m.oops("AttributeError", f"no attribute {name!r}")
    return found


def ask_attribute(m: Machine, obj: V, name: str, site: ast.AST) -> V:
    """`getattr(obj, name, ...)`, `hasattr(obj, name)`: MISSING where the program's own `__getattr__` says so."""
    m.trying += 1
    try:
        return probe_attribute(m, obj, name, site)
    except Raised as raised:
        if raised.name != "AttributeError":
            raise
        return MISSING
    finally:
        m.trying -= 1


def probe_attribute(m: Machine, obj: V, name: str, site: ast.AST) -> V:
    """`obj.name`, or MISSING."""
    kind = type(obj)
    if kind is Obj:
        found = obj.attrs.get(name, MISSING)
        if found is not MISSING:
            return found
        return _from_class(m, obj, name, site)
    if kind is Tensor:
        return m.library.tensor_attribute(m, obj, name, site)
    if kind is External:
        return m.library.attribute(m, obj, name)
    if kind is Unknown:
        return _attribute_of_unknown(m, obj, name, site)
    if kind is Class:
        return _class_attribute(m, obj, name, site)
    if kind is Seq and obj.fields is not None and name in obj.fields:
        return obj.items[obj.fields.index(name)]
    if (
        kind is Seq
        and obj.cls is not None
        and (found := _on_instance(m, obj, obj.cls.lookup(name), site)) is not MISSING
    ):
        return found
    if kind is Super:
        found = lookup_after(obj, name)
        return BoundName(obj, name) if found is MISSING else _on_instance(m, obj.self, found, site)
    if kind is Function:
        return _function_attribute(obj, name)
    if kind is Bound:
        if name == "__self__":
            return obj.self
        if name == "__func__":
            return obj.func
        return probe_attribute(m, obj.func, name, site)
    if kind is Partial:
        return {"func": obj.func, "args": Seq("tuple", list(obj.args))}.get(name, MISSING)
    if hasattr(obj, "vars"):
        found = obj.vars.get(name, MISSING)
        return found.settle(obj.vars, name) if type(found) is Lazy else found
    if kind is Builtin:
        return obj.name if name == "__name__" else type_method(obj.name, name)
    if kind is Seq or kind is Dict or kind is Iter or not isinstance(obj, Value):
        return containers.attribute(m, obj, name)
    return MISSING


def _function_attribute(fn: Function, name: str) -> V:
    if name in fn.attrs:
        return fn.attrs[name]
    if name in ("__name__", "__qualname__"):
        return fn.name
    return fn if name == "__wrapped__" else MISSING


def _attribute_of_unknown(m: Machine, obj: Unknown, name: str, site: ast.AST) -> V:
    """What a library knows of it (a weight of a module, the data of a tensor), else an unknown."""
    if obj.attrs is None or name not in obj.attrs:
        if obj.history is not None:
            found = m.library.tensor_attribute(m, obj.tensor(), name, site)
            if found is not MISSING and type(found) is not BoundName:
                return found
        else:
            found = m.library.part(m, obj, name)
            if found is not MISSING:
                return found
    return unknown_attribute(obj, name)


def unknown_attribute(obj: Unknown, name: str) -> V:
    """An attribute of an unknown springs up at its first use and stays the same."""
    if obj.attrs is None:
        obj.attrs = {}
    found = obj.attrs.get(name, MISSING)
    if found is MISSING:
        found = obj.part(f"{obj.label}.{name}" if obj.label else name)
        obj.attrs[name] = found
    return found


def lookup_after(sup: Super, name: str) -> V:
    """What `super().name` finds in the classes behind the one that says it."""
    mro = sup.self.cls.mro if type(sup.self) is Obj else sup.owner.mro
    if type(sup.self) is Class and sup.owner in sup.self.mro:
        mro = sup.self.mro
    start = mro.index(sup.owner) + 1 if sup.owner in mro else 0
    for cls in mro[start:]:
        found = cls.attrs.get(name, MISSING)
        if found is not MISSING:
            return found
    return MISSING


def _on_instance(m: Machine, obj: V, found: V, site: ast.AST) -> V:
    """What a class attribute is when it is read through an instance."""
    kind = type(found)
    if kind is Function:
        return Bound(found, obj)
    if kind is Property:
        return m.call(found.getter, [obj], {}, site)
    if kind is Static:
        return Bound(found.func, obj.cls if type(obj) is Obj else obj) if found.cls else found.func
    if kind is Obj and type(get := found.cls.lookup("__get__")) is Function:
        return m.call(get, [found, obj, obj.cls if type(obj) is Obj else None], {}, site)
    return found


def _from_class(m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
    found = obj.cls.lookup(name)
    if found is not MISSING:
        value = _on_instance(m, obj, found, site)
        if type(found) is Property and found.cached:
            obj.attrs[name] = value
        return value
    native = obj.cls.native_base()
    if native is not None:
        value = native.attribute(m, obj, name, site)
        if value is not MISSING:
            return value
        if native.has_method(name):
            return BoundName(obj, name)
    if name == "__class__":
        return obj.cls
    if name == "__dict__":
        return namespace(obj)
    own_dict = obj.attrs.get("@dict")
    if own_dict is not None:
        value = containers.look_up(own_dict, name)
        if value is not MISSING:
            return value
    own = obj.cls.lookup("__getattr__")
    if isinstance(own, (Function, Builtin)):
        return m.call(own, [obj, name], {}, site)
    if obj.cls.unresolved:
        value = Unknown("opaque", f"self.{name}")
        obj.attrs[name] = value
        return value
    if name in ("__setattr__", "__getattribute__", "__delattr__"):
        return Builtin(name, lambda m, args, kwargs, site: default_method(m, obj, name, args, kwargs, site))
    return MISSING


def _class_attribute(m: Machine, cls: Class, name: str, site: ast.AST) -> V:
    found = cls.lookup(name)
    if type(found) is Static:
        return Bound(found.func, cls) if found.cls else found.func
    if type(found) is Obj and type(get := found.cls.lookup("__get__")) is Function:
        return m.call(get, [found, None, cls], {}, site)
    if found is not MISSING:
        return found
    found = cls.meta.lookup(name) if cls.meta is not None else MISSING
    if found is not MISSING:
        return _on_instance(m, cls, found, site)
    native = cls.native_base()
    if native is not None:
        value = native.class_attribute(m, cls, name, site)
        if value is not MISSING:
            return value
    if name in ("__name__", "__qualname__"):
        return cls.name
    if name == "__dict__":
        return Dict(Attributes(cls.attrs))
    if name in ("__bases__", "__mro__"):
        return Seq("tuple", list(cls.bases if name == "__bases__" else cls.mro))
    if name == "__subclasses__":
        return Builtin(name, lambda m, args, kwargs, site: Seq("list", [c for c in m.classes if cls in c.bases]))
    if name == "__init__" and native is not None:
        return Builtin("__init__", lambda m, args, kwargs, site: native.init(m, args[0], args[1:], kwargs, site))
    if native is not None and native.has_method(name):
        return Builtin(name, lambda m, args, kwargs, site: native.method(m, args[0], name, args[1:], kwargs, site))
    return Unknown() if cls.unresolved else MISSING


def set_attribute(m: Machine, obj: V, name: str, value: V, site: ast.AST) -> None:
    """`obj.name = value`."""
    kind = type(obj)
    if kind is Obj:
        own = obj.cls.lookup("__setattr__")
        if isinstance(own, (Function, Builtin)):
            m.call(own, [obj, name, value], {}, site)
        else:
            store_attribute(m, obj, name, value, site)
    elif kind is Tensor:
        m.library.set_tensor_attribute(m, obj, name, value, site)
    elif kind is Class or kind is Function:
        m.lasting()
        obj.attrs[name] = value
        if type(value) is int:
            m.counted(obj.attrs, name)
    elif kind is Unknown:
        if obj.attrs is None:
            obj.attrs = {}
        obj.attrs[name] = value
        if type(value) is Tensor and value.node is not None:
            m.hold(value, "attribute", site)
            m.note_bound("attribute", site, obj, name, value)
        elif type(value) is Unknown and value.history is not None:
            m.hold(value.tensor(), "attribute", site, (id(obj), name))
        elif type(value) is int:
            m.counted(obj.attrs, name)
    elif hasattr(obj, "vars"):
        m.lasting()
        obj.vars[name] = value
        if type(value) is int:
            m.counted(obj.vars, name)


def store_attribute(m: Machine, obj: Obj, name: str, value: V, site: ast.AST) -> None:
    """`obj.name = value` past a `__setattr__` of its class (`super().__setattr__`, `object.__setattr__`)."""
    found = obj.cls.lookup(name)
    if type(found) is Property and found.setter is not None:
        m.call(found.setter, [obj, value], {}, site)
        return
    if type(found) is Obj and type(put := found.cls.lookup("__set__")) is Function:
        m.call(put, [found, obj, value], {}, site)
        return
    if name == "__dict__":
        for key in [key for key in obj.attrs if not key.startswith("@")]:
            del obj.attrs[key]
        obj.attrs["@dict"] = value
        return
    native = obj.cls.native_base()
    if native is not None and native.store(m, obj, name, value, site):
        return
    if "@dict" in obj.attrs:
        containers.set_item(m, obj.attrs["@dict"], name, value, site)
        return
    if type(value) is Seq or type(value) is Dict:
        m.replaced(obj.attrs.get(name), value)
    obj.attrs[name] = value
    if type(value) is Tensor and value.node is not None:
        m.hold(value, "attribute", site, (id(obj), name))
        m.note_bound("attribute", site, obj, name, value)
    elif type(value) is Seq or type(value) is Dict:
        for t in tensors_in(value):
            m.hold(t, "attribute", site, (id(obj), name), True)
        m.note_bound("attribute", site, obj, name, value)
    elif type(value) is int:
        m.counted(obj.attrs, name)
