"""Calls: functions run in place, classes are instantiated, objects are called.

A call runs the callee's own body on the caller's values, so that identity and history flow through helpers and methods
as they do at run time. Depth and recursion are bounded; beyond the bound the result is unknown.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from secondpass.machine import containers, settings
from secondpass.machine.graph import Chain, Iterations
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

if TYPE_CHECKING:
    from secondpass.machine.machine import Frame, Machine

RECURSION = 7
"""How often one function may be active at once: enough for walks over nested containers."""


class Parameters:
    """A function's parameters, ready for binding."""

    __slots__ = ("keyword_only", "kwarg", "names", "plain", "vararg")

    def __init__(self, node: ast.arguments) -> None:
        self.names = [a.arg for a in (*node.posonlyargs, *node.args)]
        self.keyword_only = [a.arg for a in node.kwonlyargs]
        self.vararg = node.vararg.arg if node.vararg else None
        self.kwarg = node.kwarg.arg if node.kwarg else None
        self.plain = not (self.keyword_only or self.vararg or self.kwarg)


def bind(fn: Function, args: list[V], kwargs: dict[str, V]) -> dict[str, V]:
    """The callee's first names. A missing argument becomes unknown: that is how an entry is run."""
    params: Parameters = fn.params
    names = params.names
    n = len(args)
    if params.plain and not kwargs and n == len(names):
        return dict(zip(names, args, strict=True))
    vars: dict[str, V] = dict(zip(names, args, strict=False))
    if params.vararg is not None:
        vars[params.vararg] = Seq("tuple", args[len(names) :])
    if kwargs:
        known = set(names) | set(params.keyword_only)
        rest: dict[Any, tuple[V, V]] = {}
        for key, value in kwargs.items():
            if key in known:
                vars[key] = value
            else:
                rest[key] = (key, value)
        if params.kwarg is not None:
            vars[params.kwarg] = Dict(rest)
    elif params.kwarg is not None:
        vars[params.kwarg] = Dict()
    first_default = len(names) - len(fn.defaults)
    for i, name in enumerate(names):
        if name not in vars:
            vars[name] = fn.defaults[i - first_default] if i >= first_default else Unknown("opaque", name)
    for name in params.keyword_only:
        if name not in vars:
            vars[name] = fn.kw_defaults[name] if name in fn.kw_defaults else Unknown("opaque", name)
    return vars


def fitted(m: Machine, name: str, run: Any, *given: Any) -> V:
    """What a library's function gives; unknown where the arguments do not fit it (`torch.cat(` while somebody types).

    Every such function takes its arguments as `args`: an index out of those is the caller's doing, any other a fault.
    """
    try:
        return run(*given)
    except (IndexError, TypeError) as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None or not isinstance(trace.tb_frame.f_locals.get("args"), list):
            raise
        return m.oops("TypeError", f"{name}() does not take these arguments")


def call(m: Machine, fn: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`fn(*args, **kwargs)`."""
    kind = type(fn)
    if kind is Function:
        return call_function(m, fn, args, kwargs, site)
    if kind is Bound:
        return call(m, fn.func, [fn.self, *args], kwargs, site)
    if kind is Builtin:
        return fitted(m, fn.name, fn.run, m, args, kwargs, site)
    if kind is External:
        return fitted(m, fn.path, m.library.call, m, fn, args, kwargs, site)
    if kind is Class:
        return instantiate(m, fn, args, kwargs, site)
    if kind is Obj:
        return call_object(m, fn, args, kwargs, site)
    if kind is BoundName:
        return call_method(m, fn.self, fn.name, args, kwargs, site)
    if kind is Partial:
        return call(m, fn.func, [*fn.args, *args], {**fn.kwargs, **kwargs}, site)
    if kind is Static:
        return call(m, fn.func, args, kwargs, site)
    if kind is Unknown:
        picked = settings.pick(m, fn, site) if fn.options is not None else fn
        if picked is not fn:
            return call(m, picked, args, kwargs, site)
        return m.library.escaped(m, fn, args, kwargs, site)
    if not isinstance(fn, Value):
        return m.oops("TypeError", f"{type(fn).__name__} object is not callable")
    return Unknown()


def call_function(m: Machine, fn: Function, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Run a function of the program in place."""
    code = fn.body
    node = fn.node
    active = m.active.get(node, 0)
    if active >= RECURSION or m.depth >= m.budget.depth:
        m.cut("calls nest too deeply", site)
        return Unknown()
    m.reached.add(node)
    m.trail.append(id(node))
    from secondpass.machine.machine import Frame

    frame = Frame(bind(fn, args, kwargs), fn.closure, fn.module, fn)
    if fn.generator:
        return Iter(_generate(m, fn, frame, site), alike=fn.body.yields_data())
    if fn.wrappers:
        return _call_wrapped(m, fn, frame, site)
    outer = m.chain
    m.chain = Chain(site, outer)
    m.active[node] = active + 1
    m.depth += 1
    try:
        return code.run(frame)
    except RecursionError:
        m.cut("the call recurses too deeply", site)
        return Unknown()
    finally:
        m.chain = outer
        m.active[node] = active
        m.depth -= 1


def _call_wrapped(m: Machine, fn: Function, frame: Frame, site: ast.AST) -> V:
    """A function under decorators that are context managers (`@torch.no_grad()`)."""
    wrappers, fn.wrappers = fn.wrappers, []
    entered = []
    outer = m.chain
    m.chain = Chain(site, outer)
    m.depth += 1
    try:
        for wrapper in wrappers:
            m.library.enter(m, wrapper, site)
            entered.append(wrapper)
        fn.wrappers = wrappers
        return fn.body.run(frame)
    finally:
        fn.wrappers = wrappers
        for wrapper in reversed(entered):
            m.library.leave(m, wrapper, site)
        m.chain = outer
        m.depth -= 1


def _generate(m: Machine, fn: Function, frame: Frame, site: ast.AST) -> Any:
    """A generator's body, one yield at a time; grad mode, iterations and the `try` it is in are its own between
    yields."""
    inner, trying = m.grad_mode, m.trying
    iterations: Iterations = ()
    steps = fn.body.generate(frame)
    sent: V = None
    thrown: Raised | None = None
    while True:
        active = m.active.get(fn.node, 0)
        if active >= RECURSION or m.depth >= m.budget.depth:
            # It asks itself, over something unknown: what it gives ends here.
            m.cut("calls nest too deeply", site)
            return None
        outer, m.grad_mode = m.grad_mode, inner
        # What it makes belongs to the iteration of whoever asks for it, and to the iterations of its own loops.
        around = m.iterations
        depth, m.iterations = len(around), (*around, *iterations)
        tried, m.trying = m.trying, trying
        chain, m.chain = m.chain, Chain(site, m.chain)
        m.active[fn.node] = active + 1
        m.depth += 1
        entered = []
        try:
            for wrapper in fn.wrappers:
                m.library.enter(m, wrapper, site)
                entered.append(wrapper)
            value = steps.send(sent) if thrown is None else steps.throw(thrown)
        except StopIteration as stop:
            return stop.value
        finally:
            for wrapper in reversed(entered):
                m.library.leave(m, wrapper, site)
            inner, m.grad_mode = m.grad_mode, outer
            iterations, m.iterations = m.iterations[depth:], around
            trying, m.trying = m.trying, tried
            m.chain = chain
            m.active[fn.node] = active
            m.depth -= 1
        thrown = None
        try:
            sent = yield value
        except Raised as raised:
            # A context manager is told of the error at its yield.
            sent, thrown = None, raised


def instantiate(m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`Class(...)`."""
    native = cls.native_base()
    if native is not None:
        made = native.make(m, cls, args, kwargs, site)
        if made is not MISSING:
            return made
    obj = Obj(cls)
    init = cls.lookup("__init__")
    if type(init) is Function:
        call_function(m, init, [obj, *args], kwargs, site)
    elif "@fields" in cls.attrs or any("@fields" in c.attrs for c in cls.mro):
        _fill_fields(m, obj, args, kwargs, site)
    elif native is not None:
        native.init(m, obj, args, kwargs, site)
    if cls.unresolved and any(isinstance(a, Value) for a in (*args, *kwargs.values())):
        for i, a in enumerate(args):
            obj.attrs.setdefault(f"@arg{i}", a)
    return obj


def _fill_fields(m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
    """The `__init__` that `@dataclass` writes."""
    fields: dict[str, V] = {}
    for cls in reversed(obj.cls.mro):
        fields.update(cls.attrs.get("@fields", {}))
    given = dict(zip(fields, args, strict=False))
    given.update(kwargs)
    for name, default in fields.items():
        if name in given:
            obj.attrs[name] = given[name]
        elif default is MISSING:
            obj.attrs[name] = Unknown("opaque", name)
        elif type(default) is Partial:
            obj.attrs[name] = call(m, default.func, [], {}, site)
        else:
            obj.attrs[name] = default
    post = obj.cls.lookup("__post_init__")
    if type(post) is Function:
        call_function(m, post, [obj], {}, site)


def call_object(m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`obj(...)`: a user's `__call__`, or what the library's class does."""
    own = obj.cls.lookup("__call__")
    if type(own) is Function:
        return call_function(m, own, [obj, *args], kwargs, site)
    native = obj.cls.native_base()
    if native is not None:
        result = native.call(m, obj, args, kwargs, site)
        if result is not MISSING:
            return result
    if obj.cls.unresolved:
        return m.library.escaped(m, obj, args, kwargs, site)
    return Unknown()


def call_method(m: Machine, obj: V, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`obj.name(...)`."""
    kind = type(obj)
    if kind is Tensor:
        return fitted(m, name, m.library.tensor_method, m, obj, name, args, kwargs, site)
    if kind is Obj:
        own = obj.attrs.get(name, MISSING)
        if own is not MISSING:
            return call(m, own, args, kwargs, site)
        found = obj.cls.lookup(name)
        if type(found) is Function:
            return call_function(m, found, [obj, *args], kwargs, site)
        if found is MISSING:
            native = obj.cls.native_base()
            if native is not None:
                result = fitted(m, name, native.method, m, obj, name, args, kwargs, site)
                if result is not MISSING:
                    return result
            if obj.cls.unresolved:
                return m.library.escaped(m, BoundName(obj, name), args, kwargs, site)
        return call(m, get_attribute(m, obj, name, site), args, kwargs, site)
    if kind is Super:
        return _call_super(m, obj, name, args, kwargs, site)
    if kind is External:
        target = m.library.attribute(m, obj, name)
        return call(m, target, args, kwargs, site)
    if kind is Unknown:
        if obj.history is not None and m.library.tensor_attribute(m, obj.tensor(), name, site) is not MISSING:
            made = m.library.tensor_method(m, obj.tensor(), name, args, kwargs, site)
            if obj.tensor().node is None:
                obj.cut()
            return made
        return m.library.escaped(m, BoundName(obj, name), args, kwargs, site)
    if kind is Seq and obj.fields is not None and name in obj.fields:
        return call(m, obj.items[obj.fields.index(name)], args, kwargs, site)
    if kind is Seq or kind is Dict or kind is Iter or not isinstance(obj, Value):
        return fitted(m, name, containers.method, m, obj, name, args, kwargs, site)
    return call(m, get_attribute(m, obj, name, site), args, kwargs, site)


def _call_super(m: Machine, sup: Super, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    found = _lookup_after(sup, name)
    if type(found) is Function:
        return call_function(m, found, [sup.self, *args], kwargs, site)
    if type(found) is Static:
        return call(m, found.func, [sup.self, *args] if found.cls else args, kwargs, site)
    obj = sup.self
    cls = obj.cls if type(obj) is Obj else sup.owner
    native = cls.native_base()
    if native is None or type(obj) is not Obj:
        return None if name == "__init__" else Unknown()
    if name == "__init__":
        native.init(m, obj, args, kwargs, site)
        return None
    if name == "__setattr__":
        set_attribute(m, obj, args[0], args[1], site)
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
    return Unknown() if result is MISSING else result


def _lookup_after(sup: Super, name: str) -> V:
    mro = sup.self.cls.mro if type(sup.self) is Obj else sup.owner.mro
    start = mro.index(sup.owner) + 1 if sup.owner in mro else 0
    for cls in mro[start:]:
        found = cls.attrs.get(name, MISSING)
        if found is not MISSING:
            return found
    return MISSING


def get_attribute(m: Machine, obj: V, name: str, site: ast.AST) -> V:
    """`obj.name`, or an AttributeError in the analysed program."""
    found = probe_attribute(m, obj, name, site)
    if found is MISSING:
        return m.oops("AttributeError", f"no attribute {name!r}")
    return found


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
    if kind is Super:
        found = _lookup_after(obj, name)
        if type(found) is Function:
            return Bound(found, obj.self)
        if type(found) is Property:
            return call(m, found.getter, [obj.self], {}, site)
        return BoundName(obj, name) if found is MISSING else found
    if kind is Function:
        if name in obj.attrs:
            return obj.attrs[name]
        if name in ("__name__", "__qualname__"):
            return obj.name
        if name == "__wrapped__":
            return obj
        return MISSING
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
    if kind is Builtin and name == "__name__":
        return obj.name
    if kind is Seq or kind is Dict or kind is Iter or not isinstance(obj, Value):
        return containers.attribute(m, obj, name)
    return MISSING


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


def _from_class(m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
    found = obj.cls.lookup(name)
    kind = type(found)
    if kind is Function:
        return Bound(found, obj)
    if kind is Property:
        value = call(m, found.getter, [obj], {}, site)
        if found.cached:
            obj.attrs[name] = value
        return value
    if kind is Static:
        return Bound(found.func, obj.cls) if found.cls else found.func
    if found is not MISSING:
        return found
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
        return _namespace(obj)
    own_dict = obj.attrs.get("@dict")
    if own_dict is not None and name in own_dict.items:
        return own_dict.items[name][1]
    own = obj.cls.lookup("__getattr__")
    if type(own) is Function:
        return call_function(m, own, [obj, name], {}, site)
    if obj.cls.unresolved:
        value = Unknown("opaque", f"self.{name}")
        obj.attrs[name] = value
        return value
    return MISSING


def _namespace(obj: Obj) -> Dict:
    """`obj.__dict__`: one dict for the object's life; what is put into it is found as an attribute."""
    found = obj.attrs.get("@dict")
    if found is None:
        found = obj.attrs["@dict"] = Dict()
    found.items.update({k: (k, v) for k, v in obj.attrs.items() if not k.startswith("@")})
    return found


def _class_attribute(m: Machine, cls: Class, name: str, site: ast.AST) -> V:
    found = cls.lookup(name)
    if type(found) is Static:
        return Bound(found.func, cls) if found.cls else found.func
    if found is not MISSING:
        return found
    native = cls.native_base()
    if native is not None:
        value = native.class_attribute(m, cls, name, site)
        if value is not MISSING:
            return value
    if name in ("__name__", "__qualname__"):
        return cls.name
    if name == "__init__" and native is not None:
        return Builtin("__init__", lambda m, args, kwargs, site: native.init(m, args[0], args[1:], kwargs, site))
    if native is not None and native.has_method(name):
        return Builtin(name, lambda m, args, kwargs, site: native.method(m, args[0], name, args[1:], kwargs, site))
    return Unknown() if cls.unresolved else MISSING


def set_attribute(m: Machine, obj: V, name: str, value: V, site: ast.AST) -> None:
    """`obj.name = value`."""
    kind = type(obj)
    if kind is Obj:
        found = obj.cls.lookup(name)
        if type(found) is Property and found.setter is not None:
            call(m, found.setter, [obj, value], {}, site)
            return
        native = obj.cls.native_base()
        if native is not None and native.store(m, obj, name, value, site):
            return
        if type(value) is Seq or type(value) is Dict:
            m.replaced(obj.attrs.get(name), value)
        obj.attrs[name] = value
        if type(value) is Tensor and value.node is not None:
            m.hold(value, "attribute", site, (id(obj), name))
            m.note_store("attribute", site, (obj, name), value)
        elif type(value) is Seq or type(value) is Dict:
            for t in tensors_in(value):
                m.hold(t, "attribute", site, (id(obj), name), True)
        elif type(value) is int:
            m.counted(obj.attrs, name)
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
            m.note_store("attribute", site, (obj, name), value)
        elif type(value) is int:
            m.counted(obj.attrs, name)
    elif hasattr(obj, "vars"):
        m.lasting()
        obj.vars[name] = value
        if type(value) is int:
            m.counted(obj.vars, name)
