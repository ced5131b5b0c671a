"""Statements without loops: assignment, branches, try, with, match, return, raise, imports."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from secondpass.machine import errors, operators, settings
from secondpass.machine.attributes import probe_attribute
from secondpass.machine.compiler.core import (
    BREAK,
    CONTINUE,
    Compiler,
    Return,
    Scope,
    Signal,
    Statement,
    Steps,
    Waiting,
    compiles_compound,
    compiles_statement,
)
from secondpass.machine.compiler.patterns import matcher
from secondpass.machine.compiler.targets import storer
from secondpass.machine.compiler.tests import ends_loop, ends_program, leaves_early, matters, rank, test
from secondpass.machine.graph import Failure
from secondpass.machine.machine import Frame
from secondpass.machine.values import (
    MISSING,
    External,
    Lazy,
    Module,
    Raised,
    Seq,
    Unknown,
    V,
)
from secondpass.source.twins import twin

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


@compiles_statement(ast.Expr)
def expression(c: Compiler, node: ast.Expr, scope: Scope) -> Statement:
    value = c.expr(node.value, scope)
    m = c.m
    if (
        isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "detach"
    ):
        site = node.value

        def run_discarded(f: Frame) -> None:
            value(f)
            m.record.discarded_cuts.append(site)

        return run_discarded

    def run(f: Frame) -> None:
        value(f)

    return run


@compiles_statement(ast.Assign)
def assign(c: Compiler, node: ast.Assign, scope: Scope) -> Statement:
    value = c.expr(node.value, scope)
    stores = [storer(c, t, scope) for t in node.targets]
    only = node.targets[0] if len(stores) == 1 else None
    if only is not None:
        store = stores[0]

        def run_one(f: Frame) -> None:
            store(f, value(f))

        return run_one

    def run(f: Frame) -> None:
        result = value(f)
        for store in stores:
            store(f, result)

    return run


@compiles_statement(ast.AnnAssign)
def annotated(c: Compiler, node: ast.AnnAssign, scope: Scope) -> Statement:
    if node.value is None:
        return lambda f: None
    value, store = c.expr(node.value, scope), storer(c, node.target, scope)

    def run(f: Frame) -> None:
        store(f, value(f))

    return run


@compiles_statement(ast.AugAssign)
def augmented(c: Compiler, node: ast.AugAssign, scope: Scope) -> Statement:
    m, op = c.m, type(node.op)
    target = node.target
    load = c.expr(_as_load(target), scope)
    value, store = c.expr(node.value, scope), storer(c, target, scope)

    def run(f: Frame) -> None:
        before = load(f)
        result = operators.binary(m, op, before, value(f), node, True)
        store(f, result)

    return run


def _as_load(node: ast.expr) -> ast.expr:
    """The target of `x += 1`, read."""
    if isinstance(node, ast.Name):
        return twin(node, "read", lambda: ast.Name(node.id, ast.Load()))
    if isinstance(node, ast.Attribute):
        return twin(node, "read", lambda: ast.Attribute(node.value, node.attr, ast.Load()))
    if isinstance(node, ast.Subscript):
        return twin(node, "read", lambda: ast.Subscript(node.value, node.slice, ast.Load()))
    return node


@compiles_compound(ast.If)
def branch(c: Compiler, node: ast.If, scope: Scope) -> Steps:
    m = c.m
    weighs = matters(node.body) or matters(node.orelse)
    want = (not leaves_early(node.body) or bool(node.orelse)) and not ends_loop(node.body, c.ends)
    check = test(c, node.test, scope, want, weighs)
    if weighs:
        rated = rank([*node.body, *node.orelse])
        for part in ast.walk(node.test):
            part.rank = rated  # type: ignore[attr-defined]
    body = c.block(node.body, scope)
    orelse = c.block(node.orelse, scope) if node.orelse else None
    mark = id(node) & ~1

    def run(f: Frame) -> Generator[V, V, Signal]:
        side = check(f)
        if weighs:
            m.trail.append(mark if side else mark | 1)
        chosen = body if side else orelse
        if chosen is None:
            return None
        signal = chosen(f)
        return (yield from signal) if type(signal) is Waiting else signal

    return run


@compiles_statement(ast.Return)
def return_(c: Compiler, node: ast.Return, scope: Scope) -> Statement:
    if node.value is None:
        nothing = Return(None)
        return lambda f: nothing
    value = c.expr(node.value, scope)
    return lambda f: Return(value(f))


@compiles_statement(ast.Break)
def break_(c: Compiler, node: ast.Break, scope: Scope) -> Statement:
    return lambda f: BREAK


@compiles_statement(ast.Continue)
def continue_(c: Compiler, node: ast.Continue, scope: Scope) -> Statement:
    return lambda f: CONTINUE


@compiles_statement(ast.Assert)
def assert_(c: Compiler, node: ast.Assert, scope: Scope) -> Statement:
    value, m = c.expr(node.test, scope), c.m

    def run(f: Frame) -> None:
        if m.truth(value(f)) is False and not m.believed:
            raise Raised(None, "AssertionError")

    return run


@compiles_statement(ast.Raise)
def raise_(c: Compiler, node: ast.Raise, scope: Scope) -> Statement:
    if node.exc is None:

        def run_again(f: Frame) -> None:
            current = f.vars.get("@raised")
            raise current if isinstance(current, Raised) else Raised(None, "RuntimeError")

        return run_again
    value = c.expr(node.exc, scope)

    m = c.m

    def run(f: Frame) -> None:
        made = value(f)
        current = f.vars.get("@raised")
        if isinstance(current, Raised) and made is f.vars.get("@error"):
            raise current
        # An error that is handled did happen, whatever the program is believed to do.
        if not m.believed or (isinstance(current, Raised) and isinstance(current.value, Failure)):
            raise Raised(made, errors.name_of(made))

    return run


TRIES = (ast.Try, *([ast.TryStar] if hasattr(ast, "TryStar") else []))


@compiles_compound(*TRIES)
def try_(c: Compiler, node: ast.Try, scope: Scope) -> Steps:
    finalbody = c.block(node.finalbody, scope) if node.finalbody else None
    attempt = _attempt(c, node, scope)
    if finalbody is None:
        return attempt

    m = c.m

    def run(f: Frame) -> Generator[V, V, Signal]:
        try:
            signal = yield from attempt(f)
        except Raised as raised:
            last = finalbody(f)
            if type(last) is Waiting:
                last = yield from last
            if last is not None:
                m.caught(raised)
                return last
            raise
        last = finalbody(f)
        if type(last) is Waiting:
            last = yield from last
        return last if last is not None else signal

    return run


def _attempt(c: Compiler, node: ast.Try, scope: Scope) -> Steps:
    """A `try` without its `finally`."""
    m = c.m
    body = c.block(node.body, scope)
    orelse = c.block(node.orelse, scope) if node.orelse else None
    handlers = {clause: c.block(clause.body, scope) for clause in node.handlers}
    guarded = handles(node)

    def run(f: Frame) -> Generator[V, V, Signal]:
        iterations, mode, before = m.iterations, m.grad_mode, m.trying
        m.trying += guarded
        try:
            signal = body(f)
            if type(signal) is Waiting:
                signal = yield from signal
        except Raised as raised:
            m.trying = before
            clause = clause_for(raised, node.handlers)
            if clause is None:
                raise
            m.iterations, m.grad_mode = iterations, mode
            return (yield from _handled(m, f, raised, clause, handlers[clause]))
        m.trying = before
        if signal is None and orelse is not None:
            signal = orelse(f)
        return (yield from signal) if type(signal) is Waiting else signal

    return run


def handles(node: ast.Try) -> bool:
    """Whether a `try` takes errors that the program makes by itself.

    `except KeyboardInterrupt` takes none, and a handler that ends with an error of its own only tells of them: the
    program is believed to run there as it is anywhere else.
    """
    kept = [clause for clause in node.handlers if not ends_program(clause.body)]
    return any(names is None or not errors.INTERRUPTS.issuperset(names) for names in map(_names, kept))


def clause_for(raised: Raised, clauses: list[ast.ExceptHandler]) -> ast.ExceptHandler | None:
    """The `except` that an error goes to."""
    for clause in clauses:
        names = _names(clause)
        if names is None or any(errors.catches(name, raised) for name in names):
            return clause
    return None


def _handled(
    m: Machine, f: Frame, raised: Raised, clause: ast.ExceptHandler, body: Statement
) -> Generator[V, V, Signal]:
    """An `except`: the error is past when its body ends. What the body raises comes of that error, or is it again."""
    around = f.vars.get("@raised"), f.vars.get("@error")
    value = errors.value_of(raised)
    if clause.name is not None:
        f.vars[clause.name] = value
    f.vars["@raised"], f.vars["@error"] = raised, value
    try:
        signal = body(f)
        if type(signal) is Waiting:
            signal = yield from signal
    except Raised as again:
        if again is not raised:
            again.because = again.because or raised
        raise
    finally:
        f.vars["@raised"], f.vars["@error"] = around
    m.caught(raised)
    return signal


def _names(clause: ast.ExceptHandler) -> list[str] | None:
    """The errors that an `except` names; None if it takes all."""
    node = clause.type
    if node is None:
        return None
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [p.attr if isinstance(p, ast.Attribute) else p.id if isinstance(p, ast.Name) else "Exception" for p in parts]


@compiles_compound(ast.With, ast.AsyncWith)
def with_(c: Compiler, node: ast.With, scope: Scope) -> Steps:
    managed = managers(c, node, scope)
    body = c.block(node.body, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
        with managed(f):
            signal = body(f)
            return (yield from signal) if type(signal) is Waiting else signal
        return None  # an error was suppressed

    return run


SUPPRESSING = ("contextlib.suppress", "pytest.raises")
"""Context managers that end an error of their body."""


def managers(
    c: Compiler, node: ast.With | ast.AsyncWith, scope: Scope
) -> Callable[[Frame], AbstractContextManager[None]]:
    """What enters the managers of a `with`, and leaves them when its body ends."""
    m = c.m
    items = [
        (c.expr(i.context_expr, scope), storer(c, i.optional_vars, scope) if i.optional_vars is not None else None)
        for i in node.items
    ]
    expected = any(_expects(i.context_expr) for i in node.items)

    @contextmanager
    def managed(f: Frame) -> Iterator[None]:
        entered: list[V] = []
        try:
            for make, store in items:
                manager = make(f)
                value = m.enter(manager, node)
                entered.append(manager)
                if store is not None:
                    store(f, value)
            yield
        except Raised as raised:
            suppressed = expected
            while entered:
                manager = entered.pop()
                if m.leave(manager, node, None if suppressed else raised) or _suppresses(manager):
                    suppressed = True
            if not suppressed:
                raise
            m.caught(raised)
        finally:
            for manager in reversed(entered):
                m.leave(manager, node)

    return managed


def _suppresses(manager: V) -> bool:
    return type(manager) is External and manager.path in SUPPRESSING


def _expects(manager: ast.expr) -> bool:
    """Whether a test says that the body raises: `with self.assertRaises(...)`, or a test's own `raises(...)`."""
    func = manager.func if isinstance(manager, ast.Call) else None
    if isinstance(func, ast.Name):
        return func.id == "raises"
    return isinstance(func, ast.Attribute) and func.attr in ("assertRaises", "assertRaisesRegex")


@compiles_compound(ast.Match)
def match(c: Compiler, node: ast.Match, scope: Scope) -> Steps:
    choose = chosen_case(c, node, scope)
    bodies = {case: c.block(case.body, scope) for case in node.cases}

    def run(f: Frame) -> Generator[V, V, Signal]:
        case = choose(f)
        if case is None:
            return None
        signal = bodies[case](f)
        return (yield from signal) if type(signal) is Waiting else signal

    return run


def chosen_case(c: Compiler, node: ast.Match, scope: Scope) -> Callable[[Frame], ast.match_case | None]:
    """Which case of a `match` is taken."""
    m = c.m
    subject = c.expr(node.subject, scope)
    named = [
        case.pattern.value.value
        for case in node.cases
        if isinstance(case.pattern, ast.MatchValue) and isinstance(case.pattern.value, ast.Constant)
    ]
    cases = [
        (
            matcher(c, case.pattern, scope),
            test(c, case.guard, scope, True, True) if case.guard is not None else None,
            case,
        )
        for case in node.cases
    ]

    def run(f: Frame) -> ast.match_case | None:
        value = subject(f)
        if settings.belief(value) is not MISSING:
            value = settings.pick(m, value, node.subject, named)
        for matches, guard, case in cases:
            side = matches(f, value)
            if side is None:
                side = m.choose(case.pattern, False)
            if side and (guard is None or guard(f)):
                return case
        return None

    return run


@compiles_statement(ast.Import)
def import_(c: Compiler, node: ast.Import, scope: Scope) -> Statement:
    m = c.m
    names = [(a.name, a.asname, storer(c, _name_at(a.asname or a.name.split(".")[0], node), scope)) for a in node.names]

    def run(f: Frame) -> None:
        for full, alias, store in names:
            if m.owns(full, 0, f):
                m.act(full, 0, f)
                value: V = Lazy(partial(_module, m, full, alias, f), (full, 0))
            else:
                value = m.external(full if alias else full.split(".")[0])
                m.external(full)
            store(f, value)

    return run


def _module(m: Machine, full: str, alias: str | None, f: Frame) -> V:
    """`import a.b` binds `a`, `import a.b as c` the module itself."""
    found = m.load(full, 0, f)
    return found if alias else m.load(full.split(".")[0], 0, f)


def _name_at(name: str, node: ast.stmt) -> ast.Name:
    return twin(node, name, lambda: ast.Name(name, ast.Store()))


@compiles_statement(ast.ImportFrom)
def import_from(c: Compiler, node: ast.ImportFrom, scope: Scope) -> Statement:
    m = c.m
    module, level = node.module or "", node.level
    names = [
        (a.name, storer(c, _name_at(a.asname or a.name, node), scope) if a.name != "*" else None) for a in node.names
    ]

    def run(f: Frame) -> None:
        ours = m.owns(module, level, f)
        if ours:
            m.act(module, level, f)
        for name, store in names:
            value: V
            if ours:
                if store is not None:
                    m.act(f"{module}.{name}" if module else name, level, f)
                if store is None:
                    f.globals.update(_public(m.load(module, level, f).vars))
                    continue
                value = Lazy(partial(_member, m, module, level, name, f), (module, level))
            elif level:
                if store is None:
                    continue
                value = Unknown("opaque", name)
            else:
                source = m.external(module)
                if store is None:
                    f.globals.setdefault("@stars", []).append(source)
                    continue
                value = m.library.attribute(m, source, name)
            if store is not None:
                store(f, value)

    return run


def _public(names: dict[str, V]) -> dict[str, V]:
    """What `from module import *` brings: the names in `__all__`, else those that are not private to it."""
    listed = names.get("__all__")
    if type(listed) is Seq and all(type(name) is str for name in listed.items):
        return {name: names[name] for name in listed.items if name in names}
    return {name: value for name, value in names.items() if name[0] not in "_@"}


def _member(m: Machine, module: str, level: int, name: str, f: Frame) -> V:
    """`from module import name`: what the module binds to the name, or its submodule of that name."""
    found: V = m.load(module, level, f)
    value = probe_attribute(m, found, name, m.site) if found is not MISSING else MISSING
    if value is MISSING:
        sub = m.load(f"{module}.{name}" if module else name, level, f)
        value = sub if type(sub) is Module else Unknown("opaque", name)
    return value


@compiles_statement(ast.Global, ast.Nonlocal, ast.Pass)
def nothing(c: Compiler, node: ast.stmt, scope: Scope) -> Statement:
    if isinstance(node, ast.Global):
        scope.globals.update(node.names)
    elif isinstance(node, ast.Nonlocal):
        scope.nonlocals.update(node.names)
    return lambda f: None
