"""Comparisons whose operands are watched: what a loop that goes on further ahead must know of them.

A comparison is taken apart as far as its operands may bend (`(step + 1) % k`, `step // 4`): what is left are the
leaves, which move in a line. Wherever it stands, in a condition or in an expression (`retain_graph=i < n - 1`), in
whichever function: if its leaves are numbers, it is noted with their values in `Machine.watched`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine import operators
from secondpass.machine.changes import SIDES, Arithmetic, Condition, Leaf, Number, Piece, Term
from secondpass.machine.machine import Frame
from secondpass.machine.settings import number
from secondpass.machine.values import MISSING, Dict, Seq, Unknown, V, Value
from secondpass.source.twins import twin

if TYPE_CHECKING:
    from secondpass.machine.compiler.core import Compiler, Expression, Scope

BENDS = (ast.Mod, ast.FloorDiv)
TAKEN_APART = (ast.Add, ast.Sub, ast.Mult, *BENDS)
NUMBERS = (int, float)
PERIOD = 2
"""A period that is known only at run time (`args.every`) is some k >= 2: this one shows both sides soonest."""


class Comparison:
    """`left op right`, compiled so that its leaves are at hand."""

    __slots__ = ("_leaves", "_simple", "condition", "m", "node", "op", "watching")

    def __init__(self, c: Compiler, node: ast.Compare, scope: Scope, watching: bool = True) -> None:
        node.unit = c.unit  # type: ignore[attr-defined]
        self.m = c.m
        self.node = node
        self.op = type(node.ops[0])
        self.watching = watching and c.noting and self.op in SIDES
        self._leaves: list[Expression] = []
        right = node.comparators[0]
        apart = self.watching and (_bends(node.left) or _bends(right))
        self._simple = not apart
        one, other = self._term(c, node.left, scope, apart), self._term(c, right, scope, apart)
        self.condition = Condition(self.op, one, other)

    def _term(self, c: Compiler, node: ast.expr, scope: Scope, apart: bool) -> Term:
        if apart and isinstance(node, ast.BinOp) and isinstance(node.op, TAKEN_APART):
            node.unit = c.unit  # type: ignore[attr-defined]
            op = type(node.op)
            left, right = self._term(c, node.left, scope, True), self._term(c, node.right, scope, True)
            return Arithmetic(op, left, right, node)
        self._leaves.append(c.expr(node, scope))
        return Leaf(len(self._leaves) - 1)

    def values(self, f: Frame) -> list[V]:
        """What the leaves are now."""
        return [number(leaf(f)) for leaf in self._leaves]

    def result(self, values: list[V]) -> V:
        """What the comparison gives; watched where that is known and its operands may move."""
        m = self.m
        if self._simple:
            left, right = values
        else:
            left, right = self._of(self.condition.left, values), self._of(self.condition.right, values)
        result = operators.compare(m, self.op, left, right, self.node)
        if self.watching and m.iterations and type(result) is bool:
            numbers = _numbers(values, self.op)
            if numbers is not None:
                m.watched.append((self.condition, numbers, result))
        return result

    def _of(self, term: Term, values: list[V]) -> V:
        if isinstance(term, Leaf):
            return values[term.index]
        left, right = self._of(term.left, values), self._of(term.right, values)
        return operators.binary(self.m, term.op, left, right, term.site or self.node)

    def likely(self, values: list[V]) -> tuple[tuple[Number, ...], bool] | None:
        """For a period that is not known: the leaves with some period in its place, and the side taken then."""
        periods = self._periods(self.condition.left, values) + self._periods(self.condition.right, values)
        if not periods:
            return None
        numbers = _numbers([PERIOD if any(v is p for p in periods) else v for v in values], self.op)
        if numbers is None:
            return None
        try:
            return numbers, self.condition.side(numbers)
        except (ArithmeticError, TypeError):
            return None

    def _periods(self, term: Term, values: list[V]) -> list[V]:
        if isinstance(term, Leaf):
            return []
        found = self._periods(term.left, values)
        if term.op in BENDS and isinstance(term.right, Leaf):
            by = values[term.right.index]
            if type(by) is Unknown and by.known is MISSING:
                found.append(by)
        return found


def _bends(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, TAKEN_APART)
        and (isinstance(node.op, BENDS) or _bends(node.left) or _bends(node.right))
    )


def _numbers(values: list[V], op: type) -> tuple[Number, ...] | None:
    """The leaves of a comparison, if all are numbers; right of `in`, the numbers among its members."""
    if op is ast.In or op is ast.NotIn:
        members = _members(values[-1])
        if members is None or not all(type(v) is int for v in values[:-1]):
            return None
        return (*values[:-1], members)
    return tuple(values) if all(type(v) in NUMBERS for v in values) else None


def _members(container: V) -> Number:
    if type(container) is Seq and not container.open and len(container.items) <= MEMBERS:
        items = container.items
    elif type(container) is Dict and not container.open and len(container.items) <= MEMBERS:
        items = list(container.items)
    else:
        return container if type(container) is range and abs(container.step) == 1 else None
    numbers = tuple(i for i in items if type(i) is int)
    return numbers if numbers and not any(isinstance(i, Value) for i in items) else None


MEMBERS = 64
"""Larger containers are not taken for a few chosen iterations."""


def against_zero(node: ast.BinOp) -> ast.Compare:
    """`if step % k:` asks whether it is zero."""

    def make() -> ast.Compare:
        zero = ast.copy_location(ast.Constant(0), node)
        return ast.Compare(node, [ast.NotEq()], [zero])

    return twin(node, "asked", make)


def noted(c: Compiler, node: ast.BinOp, left: Expression, right: Expression) -> Expression:
    """`step % 2` or `step // 10` used as a key, an index, a number: iterations that differ in it may be different.

    A remainder that comes round within the iterations of the budget makes different iterations. Any other, and a
    quotient, is watched where it jumps.
    """
    m, mark, op = c.m, id(node), type(node.op)
    piece = Piece(Arithmetic(op, Leaf(0), Leaf(1)))
    most = m.budget.turns // 2

    def run(f: Frame) -> V:
        counter, by = left(f), number(right(f))
        result = operators.binary(m, op, counter, by, node)
        if type(result) is int and m.iterations and type(by) is int and type(counter) is int:
            if op is ast.Mod and 1 < by <= most:
                m.trail.append(mark ^ result)
            elif abs(by) > 1:
                m.watched.append((piece, (counter, by), None))
        return result

    return run
