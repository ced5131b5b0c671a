"""When a condition on integers that move will change its side.

A loop in which one iteration repeats another is not run to its end: its counters are moved on to just before the next
iteration in which something can differ. What can differ is a condition (`(step + 1) % 20 == 0`, `len(buffer) == 128`,
`i in (3, 7)`) whose operands move by a constant step from iteration to iteration. Here a condition is plain data:
arithmetic over the values of its leaves. It knows its side for given values, and how far its operands go on in a line.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence
from math import ceil, floor, inf
from typing import Any, TypeAlias

Number: TypeAlias = Any
"""What a leaf holds: an integer or a float, or (right of `in`) the members of a container."""

SIDES: dict[type, Any] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
ARITHMETIC: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
PIECES = 4096
"""How many straight pieces of a condition's operands are looked through for its next change: so many times may
`step % k` wrap round before `step % 20 == 3 + k` is believed to stay as it is."""


class Leaf:
    """An operand that is read as it is: a name, an attribute, a length, a constant."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def at(self, values: Sequence[Number]) -> Number:
        return values[self.index]

    def straight(self, values: Sequence[Number], steps: Sequence[Number]) -> float:
        """For how many iterations to come the value goes on in a line."""
        return inf

    def slope(self, values: Sequence[Number], steps: Sequence[Number]) -> Number:
        """By how much it moves in an iteration, as long as it goes on in a line."""
        return steps[self.index]


class Arithmetic:
    """An operation that bends a line (`//`, `%`), or one that has such an operand."""

    __slots__ = ("left", "op", "right", "site")

    def __init__(self, op: type, left: Term, right: Term, site: ast.AST | None = None) -> None:
        self.op = op
        self.left = left
        self.right = right
        self.site = site

    def at(self, values: Sequence[Number]) -> Number:
        return ARITHMETIC[self.op](self.left.at(values), self.right.at(values))

    def straight(self, values: Sequence[Number], steps: Sequence[Number]) -> float:
        within: float = min(self.left.straight(values, steps), self.right.straight(values, steps))
        up, along = self.left.slope(values, steps), self.right.slope(values, steps)
        if self.op in (ast.Add, ast.Sub) or not (up or along):
            return within
        if self.op is ast.Mult:
            return within if not (up and along) else 0
        by = self.right.at(values)
        if along or not by:
            return 0
        if up % by == 0:
            return within
        rest = self.left.at(values) % by
        # The room to the next multiple, in the direction of the move.
        room = by - 1 - rest if (up > 0) == (by > 0) else rest
        if by < 0:
            room = rest - by - 1 if up < 0 else -rest
        pieces: float = abs(room) // abs(up)
        return min(within, pieces)

    def slope(self, values: Sequence[Number], steps: Sequence[Number]) -> Number:
        up, along = self.left.slope(values, steps), self.right.slope(values, steps)
        if self.op is ast.Add:
            return up + along
        if self.op is ast.Sub:
            return up - along
        if self.op is ast.Mult:
            return up * self.right.at(values) + along * self.left.at(values)
        by = self.right.at(values)
        whole = not along and by and up % by == 0
        if self.op is ast.Mod:
            return 0 if whole else up
        return up // by if whole else 0


Term: TypeAlias = Leaf | Arithmetic


class Condition:
    """`left op right`; its outcome is a side."""

    __slots__ = ("left", "op", "right")

    def __init__(self, op: type, left: Term, right: Term) -> None:
        self.op = op
        self.left = left
        self.right = right

    def side(self, values: Sequence[Number]) -> bool:
        return bool(SIDES[self.op](self.left.at(values), self.right.at(values)))

    def straight(self, values: Sequence[Number], steps: Sequence[Number]) -> float:
        return min(self.left.straight(values, steps), self.right.straight(values, steps))

    def turns(self, values: Sequence[Number], steps: Sequence[Number], within: float) -> int | None:
        """After how many iterations the other side is taken, while the operands go on in a line."""
        side = self.side(values)
        a, up = self.left.at(values), self.left.slope(values, steps)
        if self.op in (ast.In, ast.NotIn):
            b, meets, along = None, self.right.at(values), 0
        else:
            b, along = self.right.at(values), self.right.slope(values, steps)
            meets = (b,)
        move = up - along
        if not move:
            return None
        for n in _meetings(a, meets, move):
            if n > within:
                return None
            reached = a + move * n if b is None else a - b + move * n
            if bool(SIDES[self.op](reached, meets if b is None else 0)) is not side:
                return n
        return None


class Piece:
    """A number that is no condition, but goes on in pieces: `step // 10`, `step % 300` as an index."""

    __slots__ = ("term",)

    def __init__(self, term: Arithmetic) -> None:
        self.term = term


Watched: TypeAlias = Condition | Piece


def _meetings(a: Number, meets: Any, move: Number) -> list[int]:
    """The iterations in which a value that moves can pass one of these, in order."""
    found = {1}
    for b in meets:
        if isinstance(b, (int, float)):
            n = (b - a) / move if isinstance(b - a, float) or isinstance(move, float) else None
            low = -((a - b) // move) if n is None else ceil(n)
            high = (b - a) // move if n is None else floor(n)
            found.update(k for k in (int(low), int(high) + 1) if k > 0)
    return sorted(found)


def next_change(watched: Watched, values: Sequence[Number], steps: Sequence[Number], most: int) -> int | None:
    """In how many iterations (at most `most`) the outcome differs from now, if every leaf moves by its step."""
    if not any(steps):
        return None
    if type(watched) is Piece:
        rest = watched.term.straight(values, steps)
        return int(rest) + 1 if rest < most else None
    assert type(watched) is Condition
    side = watched.side(values)
    here, gone = list(values), 0
    for _ in range(PIECES):
        rest = watched.straight(here, steps)
        found = watched.turns(here, steps, rest)
        if found is not None:
            return gone + found if gone + found <= most else None
        if gone + rest >= most:
            return None
        on = int(rest) + 1
        gone += on
        here = [v + d * on if d else v for v, d in zip(here, steps, strict=True)]
        if watched.side(here) is not side:
            return gone
    return None
