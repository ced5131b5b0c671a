"""Conditions: which side a branch takes, and when that was a choice.

A condition that the machine can decide is decided. One that it cannot takes the wanted side, through `Machine.choose`,
so that the engine can run the entry again with the other; the same condition on the same values takes the same side.
Conditions on numbers that move from iteration to iteration are watched (conditions.py), so that a loop knows when they
turn.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from secondpass.machine.changes import Condition, Leaf
from secondpass.machine.compiler.conditions import BENDS, Comparison, against_zero
from secondpass.machine.machine import Frame
from secondpass.machine.settings import decided
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
    if not matters and c.noting:
        c.noting = False
        try:
            return test(c, node, scope, want, matters)
        finally:
            c.noting = True
    if type(node) is ast.UnaryOp and type(node.op) is ast.Not:
        inner = test(c, node.operand, scope, not want, matters)
        return lambda f: not inner(f)
    if type(node) is ast.BoolOp:
        parts = [test(c, v, scope, want, matters) for v in node.values]
        if type(node.op) is ast.And:
            return lambda f: all(p(f) for p in parts)
        return lambda f: any(p(f) for p in parts)
    if type(node) is ast.Compare and len(node.ops) == 1:
        return _compared(c, node, scope, want, matters)
    if type(node) is ast.BinOp and type(node.op) in BENDS:
        return _compared(c, against_zero(node), scope, want, matters)
    value = c.expr(node, scope)
    watched = Condition(ast.NotEq, Leaf(0), Leaf(1))

    def run(f: Frame) -> bool:
        found = value(f)
        if type(found) is int and matters and m.iterations:
            m.watched.append((watched, (found, 0), found != 0))
            return found != 0
        side = m.truth(found)
        return side if side is not None else decide(m, found, node, want, matters)

    return run


def _compared(c: Compiler, node: ast.Compare, scope: Scope, want: bool, matters: bool) -> Check:
    m = c.m
    compared = Comparison(c, node, scope, matters)

    def run(f: Frame) -> bool:
        values = compared.values(f)
        result = compared.result(values)
        side = m.truth(result)
        if side is not None:
            return side
        likely = compared.likely(values) if matters and m.belief(result) is None else None
        side = decide(m, result, node, want if likely is None else likely[1], matters)
        if likely is not None and m.iterations:
            m.watched.append((compared.condition, likely[0], side))
        return side

    return run


def decide(m: Machine, value: V, site: ast.expr, want: bool, matters: bool) -> bool:
    """The side taken on a condition that is not known, the same for the same value; a setting is what it is by
    default."""
    belief = m.belief(value)
    default = belief if belief is not None else want and not _whether_given(value, site)
    side = m.choose(site, default, belief is not None) if matters else default
    if type(value) is Unknown:
        value.truth = side
        if value.setting:
            decided(value, side)
        relation = m.equalities.get(id(value))
        if relation is not None:
            equal, left, right = relation
            if equal is side:
                if type(left) is Unknown and not isinstance(right, (Unknown, Tensor)):
                    left.known = right
                elif type(right) is Unknown and not isinstance(left, (Unknown, Tensor)):
                    right.known = left
    return side


def _whether_given(value: V, site: ast.expr) -> bool:
    """`if config.path is None`, of a setting without a known default: it is there, as far as anyone can tell."""
    return type(value) is Unknown and value.setting and type(site) is ast.Compare and type(site.ops[0]) is ast.Is


TOUCHING = frozenset(
    (
        "backward detach detach_ data no_grad grad requires_grad requires_grad_ inference_mode set_grad_enabled "
        "zero_grad step clone item exit _exit"
    ).split()
)
"""Names of what cuts, walks, or ends the program."""
NO_TENSOR = frozenset("append appendleft add extend insert update setdefault pop remove discard count index".split())
"""Methods of containers: what they are given decides what they touch."""


def rank(body: list[ast.stmt]) -> int:
    """How soon another side of a branch is worth a run, by what its statements touch: 0 is soonest."""
    if any(
        isinstance(n, (ast.Return, ast.Raise, ast.Break, ast.Continue))
        or (isinstance(n, (ast.Attribute, ast.Name)) and (n.attr if isinstance(n, ast.Attribute) else n.id) in TOUCHING)
        for s in body
        for n in ast.walk(s)
    ):
        return 0
    return 1 if any(_touches(s) for s in body) else 2


def _touches(node: ast.stmt) -> bool:
    """Whether a statement may touch a tensor by its looks."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        func, given = node.value.func, [*node.value.args, *[k.value for k in node.value.keywords]]
        return not (isinstance(func, ast.Attribute) and func.attr in NO_TENSOR and all(_plain(a) for a in given))
    if isinstance(node, ast.AugAssign):
        return not _plain(node.value)
    if isinstance(node, ast.If):
        return any(_touches(s) for s in (*node.body, *node.orelse))
    return not isinstance(node, ast.Pass)


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


def ends_of(test: ast.expr) -> frozenset[tuple[str, bool]]:
    """What ends a `while` loop: names and attributes, and their truth that does."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return frozenset().union(*[ends_of(part) for part in test.values])
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return frozenset((name, not truth) for name, truth in ends_of(test.operand))
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.Is)) and len(test.ops) == 1:
        asked = test.comparators[0]
        if isinstance(asked, ast.Constant) and type(asked.value) is bool:
            return frozenset((name, truth is asked.value) for name, truth in ends_of(test.left))
    return frozenset([(ast.unparse(test), False)]) if isinstance(test, (ast.Name, ast.Attribute)) else frozenset()


def ends_loop(body: list[ast.stmt], ends: frozenset[tuple[str, bool]]) -> bool:
    """Whether a branch sets a flag that ends the loop around: the other side goes on, and is taken first."""
    return any(
        isinstance(s, ast.Assign)
        and isinstance(s.value, ast.Constant)
        and any((ast.unparse(t), bool(s.value.value)) in ends for t in s.targets)
        for s in (body if ends else ())
    )


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
