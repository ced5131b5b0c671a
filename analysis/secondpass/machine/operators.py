"""Operators on everything but tensors: constants compute, unknowns stay the same unknown for the same operands."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from secondpass.machine.settings import derive, number
from secondpass.machine.values import MISSING, Dict, Function, Obj, Seq, Tensor, Unknown, V, Value

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

BINARY: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
UNARY: dict[type, Any] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
DUNDER: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
COMPARE: dict[type, Any] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
COMPARE_DUNDER: dict[type, str] = {
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}
LARGE = 10**9
"""Constants beyond this are not computed with: no program's control flow hangs on them within the iterations we run."""


def binary(m: Machine, op: type, left: V, right: V, site: ast.AST, in_place: bool = False) -> V:
    """`left op right`, or `left op= right`."""
    if type(left) is Unknown and left.history is not None:
        left = left.tensor()
    if type(right) is Unknown and right.history is not None:
        right = right.tensor()
    if type(left) is Tensor or type(right) is Tensor:
        if type(left) is Obj and (found := left.cls.lookup(f"__{DUNDER[op]}__")) is not MISSING:
            return m.call(found, [left, right], {}, site)
        return m.library.binary(m, op, left, right, site, in_place)
    if not isinstance(left, Value) and not isinstance(right, Value):
        return _constants(m, op, left, right)
    if type(left) is Unknown and left.known is not MISSING:
        return binary(m, op, left.known, right, site)
    if type(right) is Unknown and right.known is not MISSING:
        return binary(m, op, left, right.known, site)
    if op in (ast.Mod, ast.FloorDiv) and type(right) is Unknown and number(right) is not right:
        return binary(m, op, left, number(right), site)
    if type(left) is Seq:
        return _sequences(m, op, left, right, in_place)
    if type(right) is Seq and op is ast.Mult:
        return _sequences(m, op, right, left, False)
    if type(left) is Dict and type(right) is Dict and op is ast.BitOr:
        if in_place:
            left.items.update(right.items)
            return left
        return Dict({**left.items, **right.items}, left.default)
    if type(left) is Obj:
        names = (f"__i{DUNDER[op]}__", f"__{DUNDER[op]}__") if in_place else (f"__{DUNDER[op]}__",)
        for name in names:
            found = left.cls.lookup(name)
            if type(found) is Function:
                return m.call(found, [left, right], {}, site)
    if type(right) is Obj:
        found = right.cls.lookup(f"__r{DUNDER[op]}__")
        if type(found) is Function:
            return m.call(found, [right, left], {}, site)
    return derive(m.unknown(_kind(left, right), op, left, right), BINARY[op], left, right)


def _kind(left: V, right: V) -> str:
    kinds = {
        v.kind if type(v) is Unknown else "number" if not isinstance(v, Value) else "opaque" for v in (left, right)
    }
    return "opaque" if "opaque" in kinds or "module" in kinds else "data" if "data" in kinds else "number"


def _constants(m: Machine, op: type, left: V, right: V) -> V:
    try:
        if op in (ast.Pow, ast.LShift, ast.Mult) and _large(left, right, op):
            return Unknown("number")
        return BINARY[op](left, right)
    except ZeroDivisionError:
        return m.oops("ZeroDivisionError", "division by zero")
    except (TypeError, ValueError, OverflowError, KeyError, IndexError):
        if op is ast.Mod and isinstance(left, str):
            return Unknown("number")
        return m.oops("TypeError", "unsupported operand types")


def _large(left: V, right: V, op: type) -> bool:
    if isinstance(left, (str, bytes)) or isinstance(right, (str, bytes)):
        return not (isinstance(left, int) and left < 1000) and not (isinstance(right, int) and right < 1000)
    try:
        if op is ast.Mult:
            return bool(abs(left) > LARGE or abs(right) > LARGE)
        return bool(abs(right) > 64 or abs(left) > LARGE)
    except TypeError:
        return False


def _sequences(m: Machine, op: type, left: Seq, right: V, in_place: bool) -> V:
    if op is ast.Add:
        if in_place and right is None:
            return left
        if not in_place and type(right) is not Seq:
            return Seq(left.kind, list(left.items), True)
        items, more = m.collect(right)
        if in_place and left.kind != "tuple":
            left.items.extend(items)
            left.open = left.open or more
            if m.iterations:
                m.grown.append(left)
            return left
        return Seq(left.kind, left.items + items, left.open or more)
    if op is ast.Mult and type(right) is int and right < LARGE:
        n = len(left.items) * right
        made = Seq(left.kind, (left.items * right)[:64], left.open or n > 64)
        made.count = n if n > 64 and not left.open else None
        return made
    if op is ast.Mult:
        return Seq(left.kind, left.items * 2, True)
    if op is ast.Sub and left.kind == "set":
        return Seq(
            "set",
            [i for i in left.items if type(right) is not Seq or not any(same(i, j) for j in right.items)],
            left.open,
        )
    return Seq(left.kind, list(left.items), True)


def same(a: V, b: V) -> bool:
    """Python's `==` as far as the machine sees it: equal constants, or one and the same value."""
    if isinstance(a, Value) or isinstance(b, Value):
        if type(a) is Seq and type(b) is Seq:
            return bool(len(a.items) == len(b.items) and all(same(x, y) for x, y in zip(a.items, b.items, strict=True)))
        return bool(a is b)
    return bool(a == b)


def unary(m: Machine, op: type, operand: V, site: ast.AST) -> V:
    """`-x`, `+x`, `~x`."""
    if type(operand) is Unknown and operand.history is not None:
        operand = operand.tensor()
    if type(operand) is Tensor:
        return m.library.unary(m, op, operand, site)
    if type(operand) is Unknown and operand.known is not MISSING:
        operand = operand.known
    if not isinstance(operand, Value):
        try:
            return UNARY[op](operand)
        except TypeError:
            return m.oops("TypeError", "bad operand type")
    if type(operand) is Obj:
        found = operand.cls.lookup("__neg__" if op is ast.USub else "__invert__")
        if type(found) is Function:
            return m.call(found, [operand], {}, site)
    return derive(m.unknown(_kind(operand, 0), op, operand), UNARY[op], operand)


def compare(m: Machine, op: type, left: V, right: V, site: ast.AST) -> V:
    """`left op right` for every comparison operator."""
    if type(left) is Unknown and left.known is not MISSING:
        left = left.known
    if type(right) is Unknown and right.known is not MISSING:
        right = right.known
    left, right = number(left), number(right)
    if op is ast.Is or op is ast.IsNot:
        result = _identical(m, left, right)
        if result is None:
            return derive(m.unknown("number", op, left, right), IDENTICAL[op], left, right)
        return result if op is ast.Is else not result
    if op is ast.In or op is ast.NotIn:
        found = contains(m, right, left, site)
        if found is None:
            return _member(m, op, left, right)
        return found if op is ast.In else not found
    if not isinstance(left, Value) and not isinstance(right, Value):
        try:
            return COMPARE[op](left, right)
        except TypeError:
            return m.oops("TypeError", "unorderable types")
    if type(left) is Tensor or type(right) is Tensor:
        if (left is None or right is None) and op in (ast.Eq, ast.NotEq):
            return op is ast.NotEq
        return m.library.compare(m, left, right, site)
    if type(left) is Obj:
        found = left.cls.lookup(COMPARE_DUNDER[op])
        if type(found) is Function:
            return m.call(found, [left, right], {}, site)
    if op in (ast.Eq, ast.NotEq) and Unknown not in (type(left), type(right)):
        if type(left) is Seq and type(right) is Seq and not (left.open or right.open):
            equal = _equal_sequences(left, right)
            if equal is None:
                return m.unknown("number", op, left, right)
        else:
            equal = left is right
        return equal if op is ast.Eq else not equal
    bounded = _bounded(op, left, right)
    if bounded is not None:
        return bounded
    open_question = m.unknown("number", op, left, right)
    if op in (ast.Eq, ast.NotEq):
        m.equalities.setdefault(id(open_question), (op is ast.Eq, left, right))
    return derive(open_question, COMPARE[op], left, right)


def _member(m: Machine, op: type, item: V, container: V) -> V:
    """`item in container` where that is not known: of a setting it is known for each of its values."""
    question = m.unknown("number", op, item, container)
    if type(container) is Seq and not container.open and not any(isinstance(x, Value) for x in container.items):
        names = list(container.items)
        derive(question, lambda value: (value in names) is (op is ast.In), item)
    return question


IDENTICAL: dict[type, Any] = {ast.Is: operator.is_, ast.IsNot: operator.is_not}
MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def _bounded(op: type, left: V, right: V) -> bool | None:
    """A comparison with a length of which only the least is known."""
    if type(right) is Unknown:
        left, right, op = right, left, MIRRORED.get(op, op)
    if type(left) is not Unknown or left.least is None or not isinstance(right, int):
        return None
    if right < left.least and op in (ast.Eq, ast.NotEq, ast.Gt, ast.GtE, ast.Lt, ast.LtE):
        return op in (ast.NotEq, ast.Gt, ast.GtE)
    if right == left.least and op in (ast.GtE, ast.Lt):
        return op is ast.GtE
    return None


def _equal_sequences(a: Seq, b: Seq) -> bool | None:
    if len(a.items) != len(b.items):
        return False
    answer: bool | None = True
    for x, y in zip(a.items, b.items, strict=True):
        if not isinstance(x, Value) and not isinstance(y, Value):
            if x != y:
                return False
        elif x is not y:
            answer = None
    return answer


def _identical(m: Machine, left: V, right: V) -> bool | None:
    if type(left) is Unknown or type(right) is Unknown:
        if left is right:
            return True
        other = right if type(left) is Unknown else left
        unknown = left if type(left) is Unknown else right
        known = unknown.kind in ("number", "data", "module") or unknown.history is not None
        if other is None and known and not unknown.setting:
            return False
        return None
    if isinstance(left, Value) or isinstance(right, Value):
        return left is right
    return left is right or (type(left) is type(right) and bool(left == right))


def contains(m: Machine, container: V, item: V, site: ast.AST) -> bool | None:
    """`item in container`; None where the machine cannot know."""
    if type(container) is Seq:
        if any(same(item, x) for x in container.items):
            return True
        if container.open or type(item) is Unknown or any(type(x) is Unknown for x in container.items):
            return None
        return False
    if type(container) is Dict:
        key = key_of(item)
        if key in container.items:
            return True
        if container.open or vague(key):
            return None if container.items or container.open else False
        return None if any(vague(k) for k in container.items) else False
    if isinstance(container, str) and isinstance(item, str):
        return item in container
    if isinstance(container, range) and isinstance(item, int):
        return item in container
    if type(container) is Obj:
        found = container.cls.lookup("__contains__")
        if type(found) is Function:
            return m.truth(m.call(found, [container, item], {}, site))
        native = container.cls.native_base()
        if native is not None:
            keys = native.attribute(m, container, "@keys", site)
            if keys is not MISSING:
                return contains(m, keys, item, site)
    return None


class Vague:
    """A dict key that the machine does not know: equal to itself only, and possibly the same as another."""

    __slots__ = ("value",)

    def __init__(self, value: V) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vague) and other.value is self.value


def key_of(value: V) -> Any:
    """What a dict stores a key under."""
    if type(value) is Unknown:
        return Vague(value) if value.known is MISSING else value.known
    if type(value) is Seq:
        return tuple(key_of(x) for x in value.items)
    if isinstance(value, Value):
        return value
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


def vague(key: Any) -> bool:
    """Whether a stored key may equal another one that looks different."""
    return type(key) is Vague or (type(key) is tuple and any(vague(k) for k in key))
