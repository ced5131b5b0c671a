"""Calls: functions run in place, classes are instantiated, objects are called.

A call runs the callee's own body on the caller's values, so that identity and history flow through helpers and methods
as they do at run time. Depth and recursion are bounded; beyond the bound the result is unknown.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from secondpass.machine import containers, settings
from secondpass.machine.attributes import get_attribute, lookup_after, probe_attribute
from secondpass.machine.classes import call_super
from secondpass.machine.enums import member
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
    Obj,
    Partial,
    Raised,
    Seq,
    Static,
    Super,
    Tensor,
    Unknown,
    V,
    Value,
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
        own = fn.meta.lookup("__call__") if fn.meta is not None else MISSING
        if type(own) is Function:
            return call_function(m, own, [fn, *args], kwargs, site)
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
    if args and (found := member(cls, args[0])) is not MISSING:
        return found
    new, init = cls.lookup("__new__"), cls.lookup("__init__")
    obj = call_function(m, new, [cls, *args], kwargs, site) if type(new) is Function else Obj(cls)
    if type(obj) is not Obj or cls not in obj.cls.mro:
        return obj
    if type(init) is Function:
        call_function(m, init, [obj, *args], kwargs, site)
    elif any("@fields" in c.attrs for c in cls.mro):
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
    if kind is Seq and (obj.fields is not None or obj.cls is not None):
        found = probe_attribute(m, obj, name, site)
        if found is not MISSING and type(found) is not BoundName:
            return call(m, found, args, kwargs, site)
    if kind is Seq or kind is Dict or kind is Iter or not isinstance(obj, Value):
        return fitted(m, name, containers.method, m, obj, name, args, kwargs, site)
    return call(m, get_attribute(m, obj, name, site), args, kwargs, site)


def _call_super(m: Machine, sup: Super, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    found = lookup_after(sup, name)
    if type(found) is Function:
        # `__new__` is given its class by whoever calls it.
        return call_function(m, found, args if name == "__new__" else [sup.self, *args], kwargs, site)
    if type(found) is Static:
        return call(m, found.func, [sup.self, *args] if found.cls else args, kwargs, site)
    if found is not MISSING:
        return call(m, found, args, kwargs, site)
    return call_super(m, sup, name, args, kwargs, site)
