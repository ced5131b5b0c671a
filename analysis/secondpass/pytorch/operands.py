"""Small things every part of the PyTorch model needs: making tensors, finding operands, reading flags."""

from __future__ import annotations

import ast
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from secondpass.machine import settings
from secondpass.machine.autograd import node_of, record_op
from secondpass.machine.containers import MOST
from secondpass.machine.graph import Leaf
from secondpass.machine.values import MISSING, Dict, Iter, Seq, Tensor, Unknown, V, Value
from secondpass.pytorch.operation_facts import Operation
from secondpass.pytorch.operations import OPERATIONS

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

CUT = Operation()
"""An operation whose result has no history."""
OPAQUE = Operation(frees=0xFFFF, saves=(0xFFFF,), result=0, differentiable=0xFFFF, operands=16)
"""A differentiable operation that nobody measured: it saves something (most do)."""


def fresh(shape: tuple[V, ...] | None = None) -> Tensor:
    """A tensor made from numbers."""
    return Tensor(None, None, shape)


def leaf(m: Machine, t: Tensor) -> Tensor:
    """Make a tensor require grad by itself."""
    if t.node is None:
        t.node = Leaf(t, m.site, m.chain)
    return t


def parameter(m: Machine) -> Tensor:
    t = leaf(m, Tensor())
    t.parameter = True
    return t


def flag(m: Machine, value: V, site: ast.AST, default: bool) -> bool:
    """A boolean argument; one that is not known counts as a choice."""
    if value is MISSING or value is None:
        return default
    side = m.truth(value)
    if side is None:
        believed = m.belief(value)
        side = m.choose(site, True if believed is None else believed, believed is not None)
        if type(value) is Unknown and value.setting:
            value.truth = side
            settings.decided(value, side)
    return side


def argument(args: list[V], kwargs: dict[str, V], position: int, name: str, default: V = None) -> V:
    if position < len(args):
        return args[position]
    return kwargs.get(name, default)


def as_tensor(value: V) -> Tensor | None:
    """A value as an operand: a tensor, or an unknown that is used as one."""
    if type(value) is Tensor:
        return value
    if type(value) is Unknown and value.kind != "number":
        return value.tensor()
    return None


def operands_in(values: list[V], depth: int = 3) -> list[Tensor]:
    """The tensor operands among arguments, those inside lists one by one."""
    found: list[Tensor] = []
    for value in values:
        kind = type(value)
        if kind is Tensor:
            found.append(value)
        elif kind is Unknown:
            t = as_tensor(value)
            if t is not None:
                found.append(t)
        elif kind is Seq and depth:
            found.extend(operands_in(value.items, depth - 1))
        elif kind is Iter and depth:
            items = list(islice(value.source, 3 if value.endless else MOST))
            value.source = chain(items, value.source)
            found.extend(operands_in(items, depth - 1))
        elif kind is Dict and depth:
            found.extend(operands_in([v for _, v in value.items.values()], depth - 1))
    return found


def is_scalar(value: V) -> bool:
    return isinstance(value, (int, float, complex)) or (type(value) is Unknown and value.kind == "number")


def scalar(value: V) -> V:
    return value.known if type(value) is Unknown and value.known is not MISSING else value


def requires_grad(m: Machine, t: Tensor) -> bool:
    return node_of(m, t) is not None


def shape_of(args: list[V]) -> tuple[V, ...] | None:
    """The shape that `torch.zeros(2, n)` and the like are given; elements may be unknown numbers."""
    if len(args) == 1 and type(args[0]) is Seq and not args[0].open:
        args = args[0].items
    if args and all(is_scalar(a) for a in args):
        return tuple(scalar(a) for a in args)
    return None


def perform(m: Machine, name: str, operands: list[Tensor], site: ast.AST, fact: Any = None) -> V:
    """An operation of the table (or `fact`), with all its outputs."""
    if fact is None:
        fact = OPERATIONS.get(name, OPAQUE)
    if fact.same and operands:
        return operands[0]
    first = record_op(m, name, fact, operands, site)
    if fact.outputs == 1:
        return first
    count = fact.outputs or 2
    outputs = [first]
    for i in range(1, count):
        other = Tensor(None if fact.constants >> i & 1 else first.node)
        if fact.view and operands:
            other.storage, other.base, other.epoch = first.storage, first.base, first.epoch
        outputs.append(other)
    if fact.constants & 1:
        first.node = None
    made = Seq("tuple", list(outputs), not fact.outputs)
    if fact.outputs == 2 and fact.constants == 2:
        made.fields = ("values", "indices")
    return made


def constant(value: V) -> bool:
    return not isinstance(value, Value)
