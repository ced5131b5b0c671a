"""Modules and losses that are handed in from elsewhere: what a call of `model(x, hidden)` may be believed to do.

Names are a prior, never a fact. Something called `model` that is called like a function is taken for a module with
trainable parameters; what it returns depends on all its tensor arguments. Whatever is found by that belief says so, and
is never more than a warning.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from secondpass.machine.autograd import node_of
from secondpass.machine.graph import Leaf
from secondpass.machine.values import BoundName, Obj, Tensor, Unknown, V
from secondpass.pytorch.operands import OPAQUE, operands_in, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

MODULE = re.compile(
    r"(?:^|_)(?:model|net|network|rnn|lstm|gru|cell|decoder|generator|discriminator|critic|actor|policy|agent)s?$", re.I
)
"""Names people give to modules that they train."""
FROZEN = re.compile(r"target|teacher|frozen|ref|old|ema|vgg|pretrained|fixed|eval|momentum", re.I)
"""Names people give to modules that they do not."""
LOSS = re.compile(r"^(?:criterion\w*|loss_?fn|loss_?func\w*|loss_function|objective)$", re.I)
"""Names people give to losses: functions of their arguments, without parameters of their own."""


def call(m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """The result of calling something that looks like a module or a loss; None for anything else."""
    if type(callee) is BoundName and callee.name == "forward":
        callee = callee.self
    if type(callee) is Obj and callee.cls.unresolved and "@layer" in callee.attrs:
        return _layer(m, callee, args, kwargs, site)
    if type(callee) is not Unknown or callee.kind != "opaque" or callee.history is not None:
        return None
    name = callee.label.rsplit(".", 1)[-1].rstrip("_0123456789")
    if LOSS.match(name):
        operands = operands_in([*args, *kwargs.values()])
        if any(node_of(m, t) is not None for t in operands):
            return perform(m, name, operands, site, OPAQUE)
        return None
    if not MODULE.search(name) or FROZEN.search(callee.label):
        return None
    return _result(m, name, callee.label, _parameters(m, callee), [*args, *kwargs.values()], site)


def _layer(m: Machine, layer: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """A part of a module whose class is not seen."""
    leaf = layer.attrs.get("@parameters")
    if leaf is None:
        leaf = layer.attrs["@parameters"] = Leaf(Tensor(), site, m.chain)
    return _result(m, layer.cls.name, layer.cls.name, leaf, [*args, *kwargs.values()], site)


def _result(m: Machine, name: str, label: str, parameters: Leaf, given: list[V], site: ast.AST) -> V:
    """What depends on these parameters and on every tensor that was given."""
    if not m.grad_mode:
        return Unknown("data", name)
    node = m.new_node(name, site, [n for t in operands_in(given) if (n := node_of(m, t))], True)
    node.inputs.append(parameters)
    node.assumed = f"`{label}` has parameters that train and does not cut what it is given"
    made = Unknown("opaque", name)
    made.history = node
    return made


def _parameters(m: Machine, module: Unknown) -> Leaf:
    """One leaf stands for all parameters of a module that is not seen."""
    if module.attrs is None:
        module.attrs = {}
    found = module.attrs.get("@parameters")
    if found is None:
        found = module.attrs["@parameters"] = Leaf(Tensor(), m.site, m.chain)
    return found
