"""Functions and classes: their definitions, decorators, and the code they run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from typing import Any

from secondpass.machine import classes
from secondpass.machine.calls import Parameters
from secondpass.machine.compiler.calling import arguments
from secondpass.machine.compiler.core import Compiler, Return, Scope, Statement, compiles_statement
from secondpass.machine.compiler.targets import storer
from secondpass.machine.machine import Frame
from secondpass.machine.values import (
    MISSING,
    Builtin,
    Class,
    External,
    Function,
    Partial,
    Property,
    Static,
    Unknown,
    V,
)
from secondpass.source.twins import twin
from secondpass.source.yields import is_generator


class Code:
    """A function's body, compiled at its first call."""

    __slots__ = ("__weakref__", "body", "c", "node", "scope")

    def __init__(self, c: Compiler, node: Any, scope: Scope) -> None:
        self.c = c
        self.node = node
        self.scope = scope
        self.body: Any = None

    def forget(self) -> None:
        """The function has another body: compile it when it is called again."""
        self.body = None
        self.scope.globals.clear()
        self.scope.nonlocals.clear()

    def run(self, frame: Frame) -> V:
        signal = (self.body or self._compile())(frame)
        return signal.value if type(signal) is Return else None

    def generate(self, frame: Frame) -> Generator[V, V, V]:
        """The body of a generator, which waits at its yields."""
        signal = yield from (self.body or self._compile())(frame)
        return signal.value if type(signal) is Return else None

    def _compile(self) -> Statement:
        node = self.node
        if type(node) is ast.Lambda:
            self.body = _value(self.c.expr(node.body, self.scope))
        else:
            declare(node.body, self.scope)
            self.body = self.c.block(node.body, self.scope)
        return self.body  # type: ignore[no-any-return]

    def yields_data(self) -> bool:
        """Whether a generator only makes data: one that trains between its yields does not yield the same each time."""
        return not any(type(n) is ast.Attribute and n.attr in ("backward", "step", "grad") for n in ast.walk(self.node))


def _value(expression: Any) -> Statement:
    return lambda f: Return(expression(f))


def declare(body: list[ast.stmt], scope: Scope) -> None:
    """Collect `global` and `nonlocal` before the body is compiled."""
    for node in body:
        if isinstance(node, ast.Global):
            scope.globals.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            scope.nonlocals.update(node.names)
        elif isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
            declare(node.body, scope)
            declare(getattr(node, "orelse", []), scope)


def defaults_of(c: Compiler, node: ast.arguments, scope: Scope) -> Callable[[Frame], tuple[list[V], dict[str, V]]]:
    plain = [c.expr(d, scope) for d in node.defaults]
    named = [(a.arg, c.expr(d, scope)) for a, d in zip(node.kwonlyargs, node.kw_defaults, strict=True) if d is not None]
    if not plain and not named:
        return lambda f: ([], {})
    return lambda f: ([d(f) for d in plain], {key: d(f) for key, d in named})


@compiles_statement(ast.FunctionDef, ast.AsyncFunctionDef)
def define(c: Compiler, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Statement:
    m = c.m
    inner = Scope()
    inner.class_cell = scope.class_cell
    params = Parameters(node.args)
    inner.self_name = params.names[0] if params.names and isinstance(scope, ClassScope) else scope.self_name
    code = c.codes[node] = Code(c, node, inner)
    make_defaults = defaults_of(c, node.args, scope)
    decorators = [(c.expr(d, scope), d) for d in node.decorator_list]
    store = storer(c, twin(node, "name", lambda: ast.Name(node.name, ast.Store())), scope)
    generator = any(node.lineno <= n <= (node.end_lineno or 0) for n in c.yields) and is_generator(node)
    in_class = isinstance(scope, ClassScope)

    def run(f: Frame) -> None:
        fn = Function(node, node.name)
        fn.body, fn.params, fn.module, fn.generator = code, params, f.globals, generator
        # A method does not see the names of its class.
        fn.closure = f.enclosing if in_class else f if f.vars is not f.globals else None
        fn.defaults, fn.kw_defaults = make_defaults(f)
        m.defined(fn)
        value: V = fn
        for make, site in reversed(decorators):
            value = decorate(c, make(f), value, site, f)
        store(f, value)

    return run


def decorate(c: Compiler, decorator: V, value: V, site: ast.expr, f: Frame) -> V:
    """`@decorator` on a function or class."""
    m = c.m
    if isinstance(site, ast.Attribute) and site.attr in ("setter", "getter", "deleter"):
        prop = f.vars.get(site.value.id) if isinstance(site.value, ast.Name) else None
        if type(prop) is Property:
            if site.attr == "setter":
                prop.setter = value
            return prop
    result = m.call(decorator, [value], {}, site)
    if type(decorator) in (External, Unknown) and type(result) not in (
        Function,
        Partial,
        Builtin,
        Class,
        Property,
        Static,
    ):
        return value
    return value if type(result) is Unknown else result


class ClassScope(Scope):
    """The scope of a class body."""


@compiles_statement(ast.ClassDef)
def define_class(c: Compiler, node: ast.ClassDef, scope: Scope) -> Statement:
    m = c.m
    inner = ClassScope()
    cell: list[Any] = []
    inner.class_cell = cell
    make_bases = arguments(c, node, scope)
    body = c.block(node.body, inner)
    decorators = [(c.expr(d, scope), d) for d in node.decorator_list]
    store = storer(c, twin(node, "name", lambda: ast.Name(node.name, ast.Store())), scope)
    fields = [s for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]

    def run(f: Frame) -> None:
        bases, keywords = make_bases(f)
        around = f.enclosing if isinstance(scope, ClassScope) else f if f.vars is not f.globals else None
        frame = Frame({}, around, f.globals)
        body(frame)
        frame.vars["@annotations"] = {
            s.target.id: frame.vars.get(s.target.id, MISSING) for s in fields if isinstance(s.target, ast.Name)
        }
        m.site = node
        cls = classes.define(m, node.name, bases, frame.vars, keywords, node)
        cls.node = node
        cell[:] = [cls]
        m.library.derived(cls)
        made: V = cls
        for make, site in reversed(decorators):
            made = decorate(c, make(f), made, site, f)
        m.defined_class(cls)
        store(f, made)

    return run
