"""Conditions: which side a branch takes, and when that was a choice.

A condition that the machine can decide is decided. One that it cannot takes the wanted side, through `Machine.choose`,
so that the engine can run the entry again with the other; the same condition on the same values takes the same side.
Conditions on integers that move from iteration to iteration (`i % k == 0`) are noted, so that a loop runs until they
have turned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from secondpass.machine import operators
from secondpass.machine.machine import Frame
from secondpass.machine.values import Tensor, Unknown, V

if TYPE_CHECKING:
    from secondpass.machine.compiler.core import Compiler, Scope
    from secondpass.machine.machine import Machine

INERT = frozenset(
    (
        "print info debug warning warn error log write add_scalar add_scalars set_description set_postfix "
        "format save item round time strftime flush update_progress isoformat mkdir makedirs join exists "
        "log_dict log_metrics len float int str max min append_row perf_counter numel size dump dumps"
    ).split()
)
"""Calls that change nothing of what the machine follows."""

Check = Callable[[Frame], bool]


def test(c: Compiler, node: ast.expr, scope: Scope, want: bool, matters: bool) -> Check:
    """A condition as a closure that always answers; `want` is the side taken where it is unknown."""
    m = c.m
    if type(node) is ast.UnaryOp and type(node.op) is ast.Not:
        inner = test(c, node.operand, scope, not want, matters)
        return lambda f: not inner(f)
    if type(node) is ast.BoolOp:
        parts = [test(c, v, scope, want, matters) for v in node.values]
        if type(node.op) is ast.And:
            return lambda f: all(p(f) for p in parts)
        return lambda f: any(p(f) for p in parts)
    if type(node) is ast.Compare and len(node.ops) == 1:
        return _comparison(c, node, scope, want, matters)
    if type(node) is ast.BinOp and type(node.op) is ast.Mod:
        return _remainder(c, node, scope, want, matters)
    value = c.expr(node, scope)

    def run(f: Frame) -> bool:
        found = value(f)
        side = m.truth(found)
        return side if side is not None else decide(m, found, node, want, matters)

    return run


def _remainder(c: Compiler, node: ast.BinOp, scope: Scope, want: bool, matters: bool) -> Check:
    """`if step % k:`."""
    m = c.m
    counting, c.counting = c.counting, False
    value, modulus = c.expr(node, scope), c.expr(node.right, scope)
    c.counting = counting

    def run(f: Frame) -> bool:
        found = value(f)
        side = m.truth(found)
        if side is None:
            return decide(m, found, node, want, matters)
        if matters and m.iterations and type(found) is int:
            note_moving(m, node, found, 0, side, modulus(f))
        return side

    return run


def _comparison(c: Compiler, node: ast.Compare, scope: Scope, want: bool, matters: bool) -> Check:
    m = c.m
    node.unit = c.unit  # type: ignore[attr-defined]
    op = type(node.ops[0])
    counting, c.counting = c.counting, c.counting and op not in operators.COMPARE
    left, right = c.expr(node.left, scope), c.expr(node.comparators[0], scope)
    c.counting = counting
    modulus = _modulus(c, node, scope)
    ordered = op in operators.COMPARE

    def run(f: Frame) -> bool:
        a, b = left(f), right(f)
        result = operators.compare(m, op, a, b, node)
        side = m.truth(result)
        if side is None:
            return decide(m, result, node, want, matters)
        if matters and m.iterations and ordered and type(a) is int and type(b) is int:
            note_moving(m, node, a, b, side, modulus(f) if modulus is not None else None)
        return side

    return run


def _modulus(c: Compiler, node: ast.Compare, scope: Scope) -> Callable[[Frame], V] | None:
    for side in (node.left, node.comparators[0]):
        if type(side) is ast.BinOp and type(side.op) is ast.Mod:
            return c.expr(side.right, scope)
    return None


def decide(m: Machine, value: V, site: ast.expr, want: bool, matters: bool) -> bool:
    """The side taken on a condition that is not known, the same for the same value."""
    side = m.choose(site, want) if matters else want
    if type(value) is Unknown:
        value.truth = side
        relation = m.equalities.get(id(value))
        if relation is not None:
            equal, left, right = relation
            if equal is side:
                if type(left) is Unknown and not isinstance(right, (Unknown, Tensor)):
                    left.known = right
                elif type(right) is Unknown and not isinstance(left, (Unknown, Tensor)):
                    right.known = left
    return side


class Moving:
    """An integer condition inside a loop: how often each side was taken, and when it has been seen enough."""

    __slots__ = ("ahead", "last", "moved", "needed", "sides")

    def __init__(self, last: tuple[int, int], needed: int) -> None:
        self.last = last
        self.ahead = 0
        self.moved = False
        self.needed = needed
        self.sides = [0, 0]

    def settled(self) -> bool:
        return not self.moved or min(self.sides) >= self.needed


FAR = 12
"""A counter further than this from the value it is compared with will not reach it in the iterations we run."""


def note_moving(m: Machine, site: ast.expr, a: int, b: int, side: bool, modulus: V) -> None:
    moving = m.pending.get(site)
    if moving is None:
        if modulus is not None and (type(modulus) is not int or modulus > FAR or modulus < 2):
            return
        # What is done every k-th iteration must come round twice before it can meet what it left behind.
        moving = m.pending[site] = Moving((a, b), 1 if modulus is None else 2)
    elif moving.last != (a, b):
        step = (a - b) - (moving.last[0] - moving.last[1])
        if modulus is not None:
            moving.moved = True
        elif moving.ahead and step * moving.ahead < 0:
            # It went back: a list that is emptied, a counter that starts again. What it triggers comes round.
            moving.moved, moving.needed = abs(a - b) <= FAR, 2
        else:
            moving.ahead = moving.ahead or step
            near = (a - b) * moving.ahead <= 0 and abs(a - b) <= FAR
            moving.moved = near or moving.needed == 2
        moving.last = (a, b)
    moving.sides[side] += 1


def matters(body: list[ast.stmt]) -> bool:
    """Whether running these statements or not can make a difference to any graph, or to where control goes."""
    return any(_matters(s) for s in body)


def _matters(node: ast.stmt) -> bool:
    kind = type(node)
    if kind in (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Assert):
        return False
    if isinstance(node, ast.Expr):
        return _effect(node.value)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        # A constant may well reset an accumulator or a flag.
        return node.value is not None and (isinstance(node.value, ast.Constant) or not _plain(node.value))
    if isinstance(node, ast.AugAssign):
        return not _plain(node.value)
    if isinstance(node, ast.If):
        return matters(node.body) or matters(node.orelse)
    if isinstance(node, (ast.For, ast.While)):
        return matters(node.body) or matters(node.orelse)
    if isinstance(node, ast.With):
        return matters(node.body)
    return True


def _effect(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return False
    if isinstance(node, ast.Call):
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        return name not in INERT
    return True


def _plain(node: ast.expr) -> bool:
    """A value without a graph by its looks: numbers, strings, `.item()`, arithmetic of those."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp):
        return _plain(node.left) and _plain(node.right)
    if isinstance(node, ast.Call):
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        return name in INERT
    return False


def leaves_early(body: list[ast.stmt]) -> bool:
    """Whether a branch ends by leaving: such a side is not taken where the condition is unknown."""
    return bool(body) and (isinstance(body[-1], (ast.Break, ast.Continue, ast.Return)) or ends_program(body))


def ends_program(body: list[ast.stmt]) -> bool:
    """Whether these statements end with an error, or with `sys.exit()`."""
    last = body[-1] if body else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        func = last.value.func
        if isinstance(func, ast.Attribute):
            return func.attr in EXITS and isinstance(func.value, ast.Name) and func.value.id in ("sys", "os")
        return isinstance(func, ast.Name) and func.id in EXITS
    return isinstance(last, ast.Raise)


EXITS = frozenset(("exit", "quit", "_exit", "abort"))
"""Calls that end the program."""
