"""Generator functions: the same statements, run as Python generators so that each yield really waits.

Only statements that may contain a yield are compiled here; all others are the ordinary closures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from typing import TypeAlias

from secondpass.machine.compiler.core import BREAK, CONTINUE, Compiler, Scope, Signal
from secondpass.machine.compiler.loops import Turns, known_size
from secondpass.machine.compiler.statements import TRIES, clause_for, handles, managers, take
from secondpass.machine.compiler.targets import storer
from secondpass.machine.compiler.tests import leaves_early, test
from secondpass.machine.machine import Frame
from secondpass.machine.values import Raised, V

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


def _yields(node: ast.AST) -> bool:
    return any(type(n) in (ast.Yield, ast.YieldFrom) for n in ast.walk(node))


def _statement(c: Compiler, node: ast.stmt, scope: Scope):  # type: ignore[no-untyped-def]
    if not _yields(node):
        return c.stmt(node, scope), None
    node.unit = c.unit  # type: ignore[attr-defined]
    if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom)):
        return None, _yield(c, node.value, scope, None)
    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Yield, ast.YieldFrom)):
        return None, _yield(c, node.value, scope, node.targets[0])
    if isinstance(node, ast.If):
        return None, _if(c, node, scope)
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        return None, _loop(c, node, scope)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return None, _with(c, node, scope)
    if isinstance(node, TRIES):
        return None, _try(c, node, scope)
    return c.stmt(node, scope), None


def _yield(c: Compiler, node: ast.Yield | ast.YieldFrom, scope: Scope, target: ast.expr | None) -> Steps:
    m = c.m
    value = c.expr(node.value, scope) if node.value is not None else None
    store = storer(c, target, scope) if target is not None else None
    many = isinstance(node, ast.YieldFrom)

    def run(f: Frame) -> Generator[V, V, Signal]:
        made = value(f) if value is not None else None
        sent: V = None
        if many:
            yield from m.iterate(made)
        else:
            sent = yield made
        if store is not None:
            store(f, sent)
        return None

    return run


def _if(c: Compiler, node: ast.If, scope: Scope) -> Steps:
    check = test(c, node.test, scope, not leaves_early(node.body) or bool(node.orelse), True)
    body, orelse = generator_block(c, node.body, scope), generator_block(c, node.orelse, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
        return (yield from (body(f) if check(f) else orelse(f)))

    return run


def _loop(c: Compiler, node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> Steps:
    m = c.m
    body = generator_block(c, node.body, scope)
    source = c.expr(node.iter, scope) if not isinstance(node, ast.While) else None
    store = storer(c, node.target, scope) if not isinstance(node, ast.While) else None
    check = test(c, node.test, scope, True, False) if isinstance(node, ast.While) else None
    # The consumer decides how many turns there are; this bounds a generator that nobody stops.
    most = 4 * m.budget.turns

    def run(f: Frame) -> Generator[V, V, Signal]:
        value = source(f) if source is not None else None
        items = iter(m.iterate(value)) if source is not None else None
        turns = Turns(m, node, known_size(value) if source is not None else None)
        outer = m.turns
        while turns.index < most:
            if items is not None and store is not None:
                try:
                    store(f, next(items))
                except StopIteration:
                    break
            elif check is not None and not check(f):
                break
            turns.index += 1
            m.turns = (*outer, (node, turns.index))
            signal = yield from body(f)
            m.turns = outer
            if signal is BREAK:
                break
            if signal is not None and signal is not CONTINUE:
                return signal
        return None

    return run


def _with(c: Compiler, node: ast.With | ast.AsyncWith, scope: Scope) -> Steps:
    managed = managers(c, node, scope)
    body = generator_block(c, node.body, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
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
        turns, mode, before = m.turns, m.grad_mode, m.trying
        m.trying += guarded
        try:
            signal = yield from body(f)
        except Raised as raised:
            m.trying = before
            clause = clause_for(raised, node.handlers)
            if clause is None:
                raise
            m.turns, m.grad_mode = turns, mode
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
