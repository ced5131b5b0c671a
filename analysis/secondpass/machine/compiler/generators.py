"""Generator functions: the same statements, run as Python generators so that each yield really waits.

Only statements that may contain a yield are compiled here; all others are the ordinary closures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from secondpass.machine.compiler.core import BREAK, CONTINUE, Compiler, Scope, Signal
from secondpass.machine.compiler.expressions import sent_name
from secondpass.machine.compiler.loops import Iterations, known_size
from secondpass.machine.compiler.statements import TRIES, chosen_case, clause_for, handles, managers, take
from secondpass.machine.compiler.targets import storer
from secondpass.machine.compiler.tests import leaves_early, test
from secondpass.machine.machine import Frame
from secondpass.machine.values import Raised, V
from secondpass.source.yields import own_yields

Steps: TypeAlias = Callable[[Frame], Generator[V, V, Signal]]


def generator_block(c: Compiler, body: list[ast.stmt], scope: Scope) -> Steps:
    """Statements of a generator, in order."""
    parts = [_statement(c, s, scope) for s in body]

    def run(f: Frame) -> Generator[V, V, Signal]:
        for plain, steps in parts:
            signal = plain(f) if plain is not None else (yield from steps(f))
            if signal is not None:
                return signal
        return None

    return run


def _statement(c: Compiler, node: ast.stmt, scope: Scope):  # type: ignore[no-untyped-def]
    if not own_yields(node):
        return c.stmt(node, scope), None
    node.unit = c.unit  # type: ignore[attr-defined]
    make = COMPOUND.get(type(node))
    if make is not None:
        return None, make(c, node, scope)
    ahead, rest = _ahead(c, node, scope), c.stmt(node, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
        yield from ahead(f)
        return rest(f)

    return None, run


def _ahead(c: Compiler, node: ast.AST | None, scope: Scope) -> Steps:
    """The yields inside an expression or a simple statement, made before it: it then reads what was sent."""
    m = c.m
    steps = [
        (c.expr(y.value, scope) if y.value is not None else None, isinstance(y, ast.YieldFrom), sent_name(y))
        for y in (own_yields(node) if node is not None else [])
    ]

    def run(f: Frame) -> Generator[V, V, Signal]:
        for value, many, name in steps:
            made = value(f) if value is not None else None
            if many:
                inner: Any = m.iterate(made)
                f.vars[name] = yield from inner
            else:
                f.vars[name] = yield made
        return None

    return run


def _if(c: Compiler, node: ast.If, scope: Scope) -> Steps:
    ahead = _ahead(c, node.test, scope)
    check = test(c, node.test, scope, not leaves_early(node.body) or bool(node.orelse), True)
    body, orelse = generator_block(c, node.body, scope), generator_block(c, node.orelse, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
        yield from ahead(f)
        return (yield from (body(f) if check(f) else orelse(f)))

    return run


def _loop(c: Compiler, node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> Steps:
    m = c.m
    body = generator_block(c, node.body, scope)
    ahead = _ahead(c, node.test if isinstance(node, ast.While) else node.iter, scope)
    source = c.expr(node.iter, scope) if not isinstance(node, ast.While) else None
    store = storer(c, node.target, scope) if not isinstance(node, ast.While) else None
    check = test(c, node.test, scope, True, False) if isinstance(node, ast.While) else None
    # The consumer decides how many iterations there are; this bounds a generator that nobody stops.
    most = 4 * m.budget.turns

    def run(f: Frame) -> Generator[V, V, Signal]:
        yield from ahead(f)
        value = source(f) if source is not None else None
        items = iter(m.iterate(value)) if source is not None else None
        iterations = Iterations(m, node, known_size(value) if source is not None else None)
        while iterations.index < most:
            if items is not None and store is not None:
                try:
                    store(f, next(items))
                except StopIteration:
                    break
            elif check is not None and not check(f):
                break
            iterations.index += 1
            m.iterations = (*m.iterations, (node, iterations.index))
            signal = yield from body(f)
            # Whoever asked last may be in another iteration of its own than who asked first.
            m.iterations = m.iterations[:-1]
            if signal is BREAK:
                break
            if signal is not None and signal is not CONTINUE:
                return signal
            if check is not None:
                yield from ahead(f)
        return None

    return run


def _match(c: Compiler, node: ast.Match, scope: Scope) -> Steps:
    ahead, choose = _ahead(c, node.subject, scope), chosen_case(c, node, scope)
    bodies = {case: generator_block(c, case.body, scope) for case in node.cases}

    def run(f: Frame) -> Generator[V, V, Signal]:
        yield from ahead(f)
        case = choose(f)
        return None if case is None else (yield from bodies[case](f))

    return run


def _with(c: Compiler, node: ast.With | ast.AsyncWith, scope: Scope) -> Steps:
    ahead = [_ahead(c, item.context_expr, scope) for item in node.items]
    managed = managers(c, node, scope)
    body = generator_block(c, node.body, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
        for steps in ahead:
            yield from steps(f)
        with managed(f):
            return (yield from body(f))
        return None  # an error was suppressed

    return run


def _try(c: Compiler, node: ast.Try, scope: Scope) -> Steps:
    body = generator_block(c, node.body, scope)
    orelse = generator_block(c, node.orelse, scope)
    final = generator_block(c, node.finalbody, scope)
    handlers = {clause: generator_block(c, clause.body, scope) for clause in node.handlers}

    m = c.m
    guarded = handles(node)

    def attempt(f: Frame) -> Generator[V, V, Signal]:
        iterations, mode, before = m.iterations, m.grad_mode, m.trying
        m.trying += guarded
        try:
            signal = yield from body(f)
        except Raised as raised:
            m.trying = before
            clause = clause_for(raised, node.handlers)
            if clause is None:
                raise
            m.iterations, m.grad_mode = iterations, mode
            take(m, f, raised, clause)
            return (yield from handlers[clause](f))
        m.trying = before
        return signal if signal is not None else (yield from orelse(f))

    def run(f: Frame) -> Generator[V, V, Signal]:
        try:
            signal = yield from attempt(f)
        except Raised:
            last = yield from final(f)
            if last is not None:
                return last
            raise
        last = yield from final(f)
        return last if last is not None else signal

    return run


COMPOUND: dict[type, Callable[..., Steps]] = {
    ast.If: _if,
    ast.For: _loop,
    ast.AsyncFor: _loop,
    ast.While: _loop,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    **dict.fromkeys(TRIES, _try),
}
"""The statements that have statements inside."""
