"""Loops: as many iterations as it takes for the story to come out, and no more.

A loop with few iterations runs them all, and so does one over things that differ (modules, names). Any other runs until
a iteration takes the same branches as an earlier one and every integer condition that moves (`i % k == 0`) has been
seen on both sides: from there on, iterations repeat. Iterations that retained a graph need a third, because a weight
saved in iteration 1 by an operand without history is not saved before iteration 2; so do iterations that walked into
what an earlier one left behind.
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
from secondpass.machine.compiler.targets import storer
from secondpass.machine.compiler.tests import test
from secondpass.machine.compiler.yields import yields_of
from secondpass.machine.graph import Node, Walk, reach
from secondpass.machine.machine import Frame
from secondpass.machine.values import Obj, Seq, Unknown, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

FEW = 3
"""A loop of so many iterations is simply run."""


MANY = 10
"""A loop over things that differ may have so many times the iterations of another: it is short of work, not of
things."""


def known_size(value: V) -> int | None:
    """How many iterations a loop over this value has, if that is certain."""
    if type(value) is Seq:
        return value.count if value.more is not None else None if value.open else len(value.items)
    if isinstance(value, (range, str)):
        return len(value)
    return (
        len(value.items)
        if hasattr(value, "items") and isinstance(value.items, dict) and type(value) is not Unknown
        else None
    )


class Iterations:
    """One execution of a loop: counts its iterations and says when they have begun to repeat."""

    __slots__ = ("alike", "born", "clock", "index", "m", "outer", "seen", "short", "site", "start", "walks")

    def __init__(self, m: Machine, site: ast.AST, size: int | None, alike: bool = True) -> None:
        self.m = m
        self.site = site
        self.outer = m.iterations
        self.index = 0
        self.alike = alike
        self.short = size is not None and size <= FEW
        self.start = 0
        self.born = self.clock = m.seq
        self.seen: set[tuple[int, ...]] = set()
        self.walks = len(m.walks)

    def next(self, step: Callable[[], Any]) -> Any:
        """Ask for the next element; what an iterator computes for it belongs to the iteration that it opens."""
        self.m.iterations = (*self.outer, (self.site, self.index + 1))
        return step()

    def begin(self) -> None:
        m = self.m
        self.index += 1
        m.iterations = (*self.outer, (self.site, self.index))
        self.start = len(m.trail)
        self.clock = m.seq

    def repeats(self) -> bool:
        """After an iteration: whether the iterations to come would only repeat this one."""
        if self.short:
            return False
        m = self.m
        current = tuple(m.trail[self.start :])
        del m.trail[self.start :]
        same = current in self.seen
        self.seen.add(current)
        if self.index >= m.budget.turns * (1 if self.alike else MANY):
            m.cut("a loop has more iterations than the budget", self.site)
            return True
        if self.index < 2 or not same or not self.alike:
            return False
        if self.index < 3 and any(w.retain or self._went_back(w) for w in m.walks[self.walks :]):
            # What an iteration makes behind its walk is walked first by the next iteration, and again by the one after.
            return False
        return all(moving.settled() for moving in m.pending.values())

    def _went_back(self, walk: Walk) -> bool:
        """Whether a walk of this iteration used up something that an earlier iteration made."""
        if not 0 < walk.oldest <= self.clock < walk.seq:
            return False
        return any(
            type(n) is Node and self.born < n.seq <= self.clock and n.frees and n.consumed is walk
            for n in reach(walk.roots)
        )


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
) -> Generator[V, V, Signal]:
    """Drive a loop: `step` binds the next element (False at the end). Gives BREAK, a Return, or None at the end.

    Of a loop that is `paced` by whoever asks for what it yields, that one decides how many iterations there are.
    """
    if paced:
        return (yield from _paced(m, Iterations(m, loop, size, alike), f, step, body))
    iterations = Iterations(m, loop, size, alike)
    grown = len(m.grown)
    pending, m.pending = m.pending, {}
    try:
        while iterations.next(step):
            iterations.begin()
            signal = body(f)
            if signal is not None and signal is not CONTINUE:
                return signal
            if iterations.repeats():
                widen(f, names)
                for seq in m.grown[grown:]:
                    seq.open = True
                break
            m.iterations = iterations.outer
        return None
    finally:
        m.iterations = iterations.outer
        m.pending = pending
        # How far a loop went is part of the way its surrounding iteration took.
        m.trail.append(id(loop) ^ iterations.index)


def _paced(
    m: Machine, iterations: Iterations, f: Frame, step: Callable[[], Any], body: Statement
) -> Generator[V, V, Signal]:
    """The iterations of a loop that yields: whoever asks for what it yields decides how many there are.

    Nothing is put back if it is left behind at a yield: by then the machine is elsewhere.
    """
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
        m.iterations = m.iterations[:-1]
        if signal is not None and signal is not CONTINUE:
            return signal
    m.iterations = iterations.outer
    return None


PACED = 4
"""Bounds a generator that nobody stops: so many times the iterations of another loop."""


def _module_in(m: Machine, item: V) -> bool:
    """Whether an element is a module, or one with its index or name."""
    parts = item.items if type(item) is Seq else (item,)
    return any(type(p) is Obj and m.library.is_instance(m, p, m.external("torch.nn.Module")) for p in parts)


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

        def step() -> bool:
            nonlocal first
            # What an iterator computes (a batch that is put together) stands in the loop's header.
            m.site = node.iter
            for item in items:
                store(f, item)
                if first and _module_in(m, item):
                    m.record.over_modules.add(node)
                first = False
                return True
            return False

        signal = yield from run_iterations(
            m, node, f, known_size(value), containers.alike(value), step, body, names, paced
        )
        return (yield from _ended(signal, orelse, f))

    return run


@compiles_compound(ast.While)
def while_(c: Compiler, node: ast.While, scope: Scope) -> Steps:
    m = c.m
    check = test(c, node.test, scope, True, False)
    first = yields_of(c, [node.test], scope) if c.waits(node.test) else None
    body, orelse = _parts(c, node, scope)
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
