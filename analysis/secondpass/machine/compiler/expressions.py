"""Expressions: names, constants, operators, displays, subscripts, comprehensions, lambdas."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from secondpass.machine import containers, operators
from secondpass.machine.attributes import probe_attribute
from secondpass.machine.builtins import BUILTINS, text_of
from secondpass.machine.calls import Parameters
from secondpass.machine.compiler.conditions import BENDS, Comparison, noted
from secondpass.machine.compiler.core import Compiler, Expression, Scope, compiles_expression
from secondpass.machine.compiler.tests import test
from secondpass.machine.machine import Frame
from secondpass.machine.settings import derive
from secondpass.machine.values import MISSING, Dict, Function, Iter, Lazy, Obj, Seq, Unknown, V, held

ELEMENTS = 6
"""How many elements of a long comprehension are made; the rest are "more of the same"."""
FIRST = 2
"""How many elements of `[make_batch() for _ in range(n)]` are made at once; the others when they are asked for."""


def look_up(c: Compiler, f: Frame, name: str) -> V:
    """A name that is not in the frame itself."""
    outer = f.enclosing
    while outer is not None:
        value = outer.vars.get(name, MISSING)
        if value is not MISSING:
            return value.settle(outer.vars, name) if type(value) is Lazy else value
        outer = outer.enclosing
    value = f.globals.get(name, MISSING)
    known = value is not MISSING
    if type(value) is Lazy:
        value = value.settle(f.globals, name)
    if c.m.watching is not None:
        c.m.watching.name(f.globals, name, value)
    if known:
        return value
    value = BUILTINS.get(name, MISSING)
    if value is not MISSING:
        return value
    for star in f.globals.get("@stars", ()):
        value = probe_attribute(c.m, star, name, c.m.site)
        if value is not MISSING:
            return value
    unknown = c.m.unknown("opaque", "name", name)
    unknown.label = name
    return unknown


@compiles_expression(ast.Name)
def name(c: Compiler, node: ast.Name, scope: Scope) -> Expression:
    key = node.id
    if key in scope.globals:

        def run_global(f: Frame) -> V:
            c.m.lasting()
            value = f.globals.get(key, MISSING)
            return value if value is not MISSING and type(value) is not Lazy else look_up(c, f, key)

        return run_global

    def run(f: Frame) -> V:
        value = f.vars.get(key, MISSING)
        if value is MISSING:
            return look_up(c, f, key)
        return value.settle(f.vars, key) if type(value) is Lazy else value

    return run


@compiles_expression(ast.Constant)
def constant(c: Compiler, node: ast.Constant, scope: Scope) -> Expression:
    value = node.value
    return lambda f: value


@compiles_expression(ast.JoinedStr)
def joined(c: Compiler, node: ast.JoinedStr, scope: Scope) -> Expression:
    parts: list[Expression | str] = []
    for part in node.values:
        if type(part) is ast.FormattedValue:
            parts.append(
                c.expr(part.value, scope)
                if part.format_spec is None and part.conversion == -1
                else _opaque(c, part, scope)
            )
        elif type(part) is ast.Constant:
            parts.append(str(part.value))

    def run(f: Frame) -> V:
        text: list[str] | None = []
        for part in parts:
            known = part if isinstance(part, str) else text_of(part(f))
            if text is not None:
                text = [*text, known] if known is not None else None
        return Unknown("number") if text is None else "".join(text)

    return run


def _opaque(c: Compiler, part: ast.FormattedValue, scope: Scope) -> Expression:
    inner = c.expr(part.value, scope)
    unknown = Unknown("number")

    def run(f: Frame) -> V:
        inner(f)
        return unknown

    return run


@compiles_expression(ast.Attribute)
def attribute(c: Compiler, node: ast.Attribute, scope: Scope) -> Expression:
    m, key = c.m, node.attr
    owner = c.expr(node.value, scope)
    get = m.getattr

    def run(f: Frame) -> V:
        return get(owner(f), key, node)

    return run


@compiles_expression(ast.Subscript)
def subscript(c: Compiler, node: ast.Subscript, scope: Scope) -> Expression:
    m = c.m
    owner, index = c.expr(node.value, scope), c.expr(node.slice, scope)

    def run(f: Frame) -> V:
        return containers.get_item(m, owner(f), index(f), node)

    return run


@compiles_expression(ast.Slice)
def slice_(c: Compiler, node: ast.Slice, scope: Scope) -> Expression:
    bounds = [c.expr(b, scope) if b is not None else None for b in (node.lower, node.upper, node.step)]

    def run(f: Frame) -> V:
        return slice(*[b(f) if b is not None else None for b in bounds])

    return run


@compiles_expression(ast.BinOp)
def binary(c: Compiler, node: ast.BinOp, scope: Scope) -> Expression:
    m, op = c.m, type(node.op)
    left, right = c.expr(node.left, scope), c.expr(node.right, scope)
    combine = operators.binary
    if op in BENDS and c.noting:
        return noted(c, node, left, right)

    def run(f: Frame) -> V:
        return combine(m, op, left(f), right(f), node)

    return run


@compiles_expression(ast.UnaryOp)
def unary(c: Compiler, node: ast.UnaryOp, scope: Scope) -> Expression:
    m, op = c.m, type(node.op)
    operand = c.expr(node.operand, scope)
    if op is ast.Not:

        def run_not(f: Frame) -> V:
            value = operand(f)
            side = m.truth(value)
            return derive(m.unknown("number", "not", value), lambda v: not v, value) if side is None else not side

        return run_not
    if op is ast.USub and type(node.operand) is ast.Constant and isinstance(node.operand.value, (int, float)):
        negative = -node.operand.value
        return lambda f: negative

    def run(f: Frame) -> V:
        return operators.unary(m, op, operand(f), node)

    return run


@compiles_expression(ast.BoolOp)
def boolean(c: Compiler, node: ast.BoolOp, scope: Scope) -> Expression:
    m = c.m
    parts = [(c.expr(v, scope), v) for v in node.values]
    stop = type(node.op) is ast.Or

    def run(f: Frame) -> V:
        value: V = None
        for part, site in parts[:-1]:
            value = part(f)
            side = m.truth(value)
            if side is None:
                side = m.belief(value)
            if side is None:
                side = stop if m.is_number(value) else m.choose(site, True)
                if m.is_number(value):
                    rest = [p(f) for p, _ in parts[1:]]
                    return m.unknown("number", "bool", value, *rest)
            if side is stop:
                return value
        return parts[-1][0](f)

    return run


@compiles_expression(ast.Compare)
def compare(c: Compiler, node: ast.Compare, scope: Scope) -> Expression:
    m = c.m
    if len(node.ops) == 1:
        compared = Comparison(c, node, scope)
        return lambda f: compared.result(compared.values(f))
    first = c.expr(node.left, scope)
    rest = [(type(op), c.expr(v, scope)) for op, v in zip(node.ops, node.comparators, strict=True)]

    def run(f: Frame) -> V:
        left = first(f)
        result: V = True
        for op, part in rest:
            right = part(f)
            result = operators.compare(m, op, left, right, node)
            if m.truth(result) is False:
                return result
            left = right
        return result

    return run


@compiles_expression(ast.IfExp)
def conditional(c: Compiler, node: ast.IfExp, scope: Scope) -> Expression:
    check = test(c, node.test, scope, True, True)
    body, orelse = c.expr(node.body, scope), c.expr(node.orelse, scope)
    m, mark = c.m, id(node) & ~1

    def run(f: Frame) -> V:
        side = check(f)
        m.trail.append(mark if side else mark | 1)
        return body(f) if side else orelse(f)

    return run


@compiles_expression(ast.NamedExpr)
def walrus(c: Compiler, node: ast.NamedExpr, scope: Scope) -> Expression:
    from secondpass.machine.compiler.targets import storer

    value, store = c.expr(node.value, scope), storer(c, node.target, scope)

    def run(f: Frame) -> V:
        result = value(f)
        store(f, result)
        return result

    return run


def elements(c: Compiler, nodes: list[ast.expr], scope: Scope) -> Callable[[Frame], tuple[list[V], bool]]:
    """The values of a display or of arguments, with `*spread`; and whether there may be more."""
    parts = [(c.expr(n.value if type(n) is ast.Starred else n, scope), type(n) is ast.Starred) for n in nodes]
    if not any(starred for _, starred in parts):
        plain = [p for p, _ in parts]
        return lambda f: ([p(f) for p in plain], False)
    m = c.m

    def run(f: Frame) -> tuple[list[V], bool]:
        out: list[V] = []
        more = False
        for part, starred in parts:
            value = part(f)
            if not starred:
                out.append(value)
                continue
            if type(value) is Unknown:
                more = True
                continue
            spread, unending = m.collect(value)
            out.extend(spread)
            more = more or unending
        return out, more

    return run


def take(source: Any, most: int) -> list[V]:
    """At most so many elements of an iterator."""
    out: list[V] = []
    for item in source:
        out.append(item)
        if len(out) >= most:
            break
    return out


@compiles_expression(ast.List, ast.Tuple, ast.Set)
def display(c: Compiler, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Expression:
    kind = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}[type(node)]
    if not any(type(n) is ast.Starred for n in node.elts):
        plain = [c.expr(n, scope) for n in node.elts]
        return lambda f: Seq(kind, [p(f) for p in plain])
    make = elements(c, node.elts, scope)
    return lambda f: Seq(kind, *make(f))


@compiles_expression(ast.Dict)
def dictionary(c: Compiler, node: ast.Dict, scope: Scope) -> Expression:
    m = c.m
    pairs = [
        (c.expr(k, scope) if k is not None else None, c.expr(v, scope))
        for k, v in zip(node.keys, node.values, strict=True)
    ]

    def run(f: Frame) -> V:
        made = Dict()
        for key, part in pairs:
            if key is None:
                other = held(part(f))
                if type(other) is Dict:
                    made.items.update(other.items)
                    made.open = made.open or other.open
                else:
                    made.open = True
            else:
                containers.set_item(m, made, key(f), part(f), node)
        return made

    return run


@compiles_expression(ast.Starred)
def starred(c: Compiler, node: ast.Starred, scope: Scope) -> Expression:
    return c.expr(node.value, scope)


@compiles_expression(ast.Await)
def awaited(c: Compiler, node: ast.Await, scope: Scope) -> Expression:
    return c.expr(node.value, scope)


@compiles_expression(ast.Lambda)
def lambda_(c: Compiler, node: ast.Lambda, scope: Scope) -> Expression:
    from secondpass.machine.compiler.functions import Code, defaults_of

    inner = Scope()
    inner.class_cell, inner.self_name = scope.class_cell, scope.self_name
    code = Code(c, node, inner)
    params = Parameters(node.args)
    make_defaults = defaults_of(c, node.args, scope)

    def run(f: Frame) -> V:
        fn = Function(node, "<lambda>")
        fn.body, fn.params, fn.closure, fn.module = code, params, f, f.globals
        fn.defaults, fn.kw_defaults = make_defaults(f)
        return fn

    return run


def comprehend(
    c: Compiler, generators: list[ast.comprehension], scope: Scope, node: ast.expr
) -> Callable[[Frame, Callable[[Frame], None]], bool]:
    """Run a comprehension's loops, calling back for every element; True when elements were left out."""
    from secondpass.machine.compiler.targets import storer

    m = c.m
    loops = [
        (c.expr(g.iter, scope), storer(c, g.target, scope), [test(c, t, scope, True, True) for t in g.ifs], g)
        for g in generators
    ]

    def run(f: Frame, emit: Callable[[Frame], None]) -> bool:
        inner = Frame({}, f, f.globals, f.func)
        outer = m.iterations

        def level(i: int) -> bool:
            if i == len(loops):
                emit(inner)
                return False
            source, store, tests, site = loops[i]
            value = source(inner if i else f)
            size = containers.size(m, value) if type(value) is Obj else None
            own = type(value) is Obj and type(value.cls.lookup("__iter__")) is Function
            unending = containers.endless(value) and size is None and not own
            most = 3 if unending else ELEMENTS
            if (type(value) is Seq and not value.open) or size is not None:
                most = 64
            elif own:
                most = m.budget.turns
            left_out = unending
            around = m.iterations
            for n, item in enumerate(m.iterate(value), 1):
                if n > most:
                    left_out = True
                    break
                m.iterations = (*around, (site, n))
                store(inner, item)
                if all(t(inner) for t in tests):
                    left_out = level(i + 1) or left_out
            m.iterations = around
            return left_out

        try:
            return level(0)
        finally:
            m.iterations = outer

    return run


@compiles_expression(ast.ListComp, ast.SetComp)
def list_comprehension(c: Compiler, node: ast.ListComp | ast.SetComp, scope: Scope) -> Expression:
    element = c.expr(node.elt, scope)
    loop = comprehend(c, node.generators, scope, node)
    kind = "list" if type(node) is ast.ListComp else "set"
    first = node.generators[0]
    size = _range_size(c, first, scope) if len(node.generators) == 1 and not first.ifs else None

    lazily = _batches(c, node, scope) if size is not None and kind == "list" else None

    def run(f: Frame) -> V:
        if lazily is not None:
            batches = lazily(f)
            if batches is not None:
                return batches
        made = Seq(kind, [])
        add = made.items.append
        if loop(f, lambda inner: add(element(inner))):
            made.open = True
            if size is not None:
                made.count = size(f)
        return made

    return run


def _batches(c: Compiler, node: ast.ListComp | ast.SetComp, scope: Scope) -> Callable[[Frame], Seq | None] | None:
    """`[make_batch() for _ in range(n)]`: the first elements at once, the rest on demand, if they are plain data."""
    from secondpass.machine.compiler.targets import storer

    m = c.m
    first = node.generators[0]
    if any(type(n) in (ast.Lambda, ast.Await, ast.NamedExpr) for n in ast.walk(node.elt)):
        return None
    source, store, element = c.expr(first.iter, scope), storer(c, first.target, scope), c.expr(node.elt, scope)

    def run(f: Frame) -> Seq | None:
        numbers = source(f)
        if type(numbers) is not range or len(numbers) <= FIRST:
            return None
        inner = Frame({}, f, f.globals, f.func)
        made = Seq("list", [])

        def rest() -> Any:
            for number in numbers:
                store(inner, number)
                yield element(inner)

        made.more = rest()
        around = m.iterations
        for iteration in range(FIRST):
            m.iterations = (*around, (first, iteration + 1))
            made.items.append(next(made.more))
        m.iterations = around
        made.open, made.count = True, len(numbers)
        if not all(_waits(item) for item in made.items):
            made.items.extend(take(made.more, ELEMENTS - FIRST))
            made.more = None
            made.open = len(numbers) > ELEMENTS
        return made

    return run


def _waits(item: V) -> bool:
    """Whether an element may be made when it is asked for: it is plain data, or not seen and without history."""
    return containers.is_data(item) or (type(item) is Unknown and item.history is None)


def _range_size(c: Compiler, g: ast.comprehension, scope: Scope) -> Callable[[Frame], int | None] | None:
    """For `for _ in range(...)`: how many elements there are really."""
    if type(g.iter) is not ast.Call or type(g.iter.func) is not ast.Name or g.iter.func.id != "range":
        return None
    source = c.expr(g.iter, scope)

    def run(f: Frame) -> int | None:
        value = source(f)
        return len(value) if type(value) is range else None

    return run


@compiles_expression(ast.GeneratorExp)
def generator_expression(c: Compiler, node: ast.GeneratorExp, scope: Scope) -> Expression:
    element = c.expr(node.elt, scope)
    loop = comprehend(c, node.generators, scope, node)

    def run(f: Frame) -> V:
        # Eager: every consumer in training code (sum, all, any, tuple, torch.stack) takes all elements at once.
        made: list[V] = []
        left_out = loop(f, lambda inner: made.append(element(inner)))
        return Iter(iter(made), left_out)

    return run


@compiles_expression(ast.DictComp)
def dict_comprehension(c: Compiler, node: ast.DictComp, scope: Scope) -> Expression:
    m = c.m
    key, value = c.expr(node.key, scope), c.expr(node.value, scope)
    loop = comprehend(c, node.generators, scope, node)

    def run(f: Frame) -> V:
        made = Dict()

        def emit(inner: Frame) -> None:
            containers.set_item(m, made, key(inner), value(inner), node)

        made.open = loop(f, emit)
        return made

    return run
