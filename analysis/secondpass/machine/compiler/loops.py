"""Loops: as many iterations as it takes for the story to come out, and no more.

A loop with few iterations runs them all, and so does one over things that differ (modules, names). Any other leaves out
iterations that would repeat those before them: see iterations.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

from secondpass.machine import containers
from secondpass.machine.compiler.core import (
    BREAK,
    CONTINUE,
    Compiler,
    Scope,
    Signal,
    Statement,
    Steps,
    Waiting,
    compiles_compound,
)
from secondpass.machine.compiler.iterations import Iterations
from secondpass.machine.compiler.targets import storer
from secondpass.machine.compiler.tests import ends_of, test
from secondpass.machine.compiler.yields import yields_of
from secondpass.machine.elements import skip
from secondpass.machine.graph import Node
from secondpass.machine.machine import Frame
from secondpass.machine.values import Obj, Seq, Tensor, Unknown, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


def widen(f: Frame, names: frozenset[str]) -> None:
    """After a loop that was cut short: the numbers it counted are not known."""
    for name in names:
        value = f.vars.get(name)
        if type(value) in (int, float):
            f.vars[name] = Unknown("number", name)


def counters(body: list[ast.stmt]) -> frozenset[str]:
    """The names that a loop's body counts up."""
    found: set[str] = set()
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            todo.extend(node.body)
            todo.extend(getattr(node, "orelse", []))
            todo.extend(getattr(node, "finalbody", []))
    return frozenset(found)


def run_iterations(
    m: Machine,
    loop: ast.For | ast.AsyncFor | ast.While,
    f: Frame,
    size: int | None,
    alike: bool,
    step: Callable[[], Any],
    body: Statement,
    names: frozenset[str],
    paced: bool,
    skip: Callable[[int], None] | None = None,
) -> Generator[V, V, Signal]:
    """Drive a loop: `step` binds the next element (False at the end). Gives BREAK, a Return, or None at the end.

    Of a loop that is `paced` by whoever asks for what it yields, that one decides how many iterations there are.
    """
    if paced:
        return (yield from _paced(m, Iterations(m, loop, size, alike), f, step, body))
    iterations = Iterations(m, loop, size, alike, f, skip)
    older = list(f.vars)
    if size is not None and size <= SHORT:
        m.record.short.add(loop)
    try:
        while more := iterations.next(step):
            if more is NAMED:
                iterations.alike = False
            iterations.begin()
            signal = body(f)
            if signal is not None and signal is not CONTINUE:
                return signal
            m.survives(f, older)
            if iterations.repeats():
                if not iterations.exact:
                    widen(f, names)
                    for seq in iterations.grown():
                        seq.open, seq.count = True, None
                break
            m.iterations = iterations.outer
        return None
    finally:
        m.iterations = iterations.outer
        # How a loop went is part of the way its surrounding iteration took.
        m.trail.append(iterations.mark)


def _paced(
    m: Machine, iterations: Iterations, f: Frame, step: Callable[[], Any], body: Statement
) -> Generator[V, V, Signal]:
    """The iterations of a loop that yields: whoever asks for what it yields decides how many there are.

    Nothing is put back if it is left behind at a yield: by then the machine is elsewhere.
    """
    older = list(f.vars)
    while iterations.index < PACED * m.budget.turns:
        # Whoever asks now may be in another iteration of its own than who asked before.
        iterations.outer = m.iterations
        more = iterations.next(step)
        if type(more) is Waiting:
            more = yield from more
        if not more:
            break
        iterations.begin()
        signal = body(f)
        if type(signal) is Waiting:
            signal = yield from signal
        m.survives(f, older)
        m.iterations = m.iterations[:-1]
        if signal is not None and signal is not CONTINUE:
            return signal
    m.iterations = iterations.outer
    return None


PACED = 4
"""Bounds a generator that nobody stops: so many times the iterations of another loop."""


SHORT = 4
"""A loop with so few iterations is a piece of a computation, however often that is done."""


NAMED = object()
"""What a step gives instead of True where the element holds a word: such elements differ from each other."""


def _look(m: Machine, item: V) -> Any:
    """Note what makes an iteration over this element another than one over the next: flags, whether it has a graph."""
    found: Any = True
    for part in item.items if type(item) is Seq else (item,):
        kind = type(part)
        if (kind is Seq and _look(m, part) is NAMED) or kind is str:
            found = NAMED
        elif kind is bool or part is None:
            m.trail.append(hash(part))
        elif kind is Tensor:
            m.trail.append(type(part.node) is Node)
    return found


def _module_in(m: Machine, item: V) -> bool:
    """Whether an element is a module, or one with its index or name."""
    parts = item.items if type(item) is Seq else (item,)
    return any(
        _module_in(m, p)
        if type(p) is Seq and p is not item
        else type(p) is Obj and m.library.is_instance(m, p, m.external("torch.nn.Module"))
        for p in parts
    )


@compiles_compound(ast.For, ast.AsyncFor)
def for_(c: Compiler, node: ast.For, scope: Scope) -> Steps:
    m = c.m
    source, store = c.expr(node.iter, scope), storer(c, node.target, scope)
    body, orelse = _parts(c, node, scope)
    names = counters(node.body)
    paced = c.waits(node)

    def run(f: Frame) -> Generator[V, V, Signal]:
        value = source(f)
        m.site = node.iter
        items = iter(m.iterate(value))
        first = True

        def step() -> Any:
            nonlocal first
            # What an iterator computes (a batch that is put together) stands in the loop's header.
            m.site = node.iter
            for item in items:
                store(f, item)
                if first and _module_in(m, item):
                    m.record.over_modules.add(node)
                first = False
                return _look(m, item)
            return False

        size, alike = containers.size(m, value), containers.alike(m, value)
        signal = yield from run_iterations(m, node, f, size, alike, step, body, names, paced, partial(skip, items))
        return (yield from _ended(signal, orelse, f))

    return run


@compiles_compound(ast.While)
def while_(c: Compiler, node: ast.While, scope: Scope) -> Steps:
    m = c.m
    check = test(c, node.test, scope, True, False)
    first = yields_of(c, [node.test], scope) if c.waits(node.test) else None
    around, c.ends = c.ends, c.ends | ends_of(node.test)
    body, orelse = _parts(c, node, scope)
    c.ends = around
    names = counters(node.body)
    paced = c.waits(node)

    def asked(f: Frame) -> Generator[V, V, bool]:
        if first is not None:
            yield from first(f)
        return check(f)

    def run(f: Frame) -> Generator[V, V, Signal]:
        step = partial(asked if first is not None else check, f)
        signal = yield from run_iterations(m, node, f, None, True, step, body, names, paced)
        return (yield from _ended(signal, orelse, f))

    return run


def _parts(c: Compiler, node: ast.For | ast.While, scope: Scope) -> tuple[Statement, Statement | None]:
    return c.block(node.body, scope), c.block(node.orelse, scope) if node.orelse else None


def _ended(signal: Signal, orelse: Statement | None, f: Frame) -> Generator[V, V, Signal]:
    """What a loop comes to: its `else` runs unless it was left."""
    if signal is BREAK:
        return None
    if signal is None and orelse is not None:
        signal = orelse(f)
    return (yield from signal) if type(signal) is Waiting else signal
