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
from secondpass.machine.calls import unknown_attribute
from secondpass.machine.graph import Leaf
from secondpass.machine.values import BoundName, Obj, Tensor, Unknown, V
from secondpass.pytorch.operands import OPAQUE, operands_in, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

PART = r"(?:(?:^|[_a-z])(?:model|net|network)|(?:^|_)(?:rnn|lstm|gru|cell|{more}))s?(?:_?[GD])?$"
MODULE = re.compile(
    PART.format(
        more="decoder|encoder|generator|discriminator|critic|actor|policy|agent|backbone|trunk|torso|head|embedding"
        "|embedder|classifier|projector|predictor|extractor|mlp|transformer|vae|autoencoder|unet|dynamics|transition"
    ),
    re.I,
)
"""Names people give to modules that they train."""
FROZEN = re.compile(r"target|teacher|frozen|ref|old|ema|vgg|pretrained|fixed|eval|momentum", re.I)
"""Names people give to modules that they do not."""
LOSS = re.compile(r"^(?:criterion\w*|loss_?fn|loss_?func\w*|loss_function|objective)$", re.I)
"""Names people give to losses: functions of their arguments, without parameters of their own."""
METHOD = re.compile(r"^(?:(?:encode|decode|embed|project)(?:_\w+)?|\w+_(?:head|loss)|evaluate_actions)$")
"""Methods of modules that are forward passes by their names: they depend on parameters and on what they are given."""
MAKES = re.compile(r"^(?:get|build|make|create|load|init|new|define|setup|wrap)_(?=[a-z])", re.I)
DOES = re.compile(
    r"^(?:save|update|train|eval|test|set|reset|copy|clone|to|freeze|sync|from|is|has|use|run|fit|step|zero)_"
    r"|[a-z]_generator$",
    re.I,
)
"""A function with such a name is no module, whatever its name ends with; those of the first kind return one."""
NAME = re.compile(r"(\w+)\W*$")


def call(m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """The result of calling something that looks like a module or a loss; None for anything else."""
    if type(callee) is BoundName:
        owner, name = callee.self, callee.name
        if name == "forward":
            callee = owner
        elif type(owner) is Unknown and METHOD.match(name) and _is_module(owner):
            return _result(m, name, f"{owner.label}.{name}", _parameters(m, owner), [*args, *kwargs.values()], site)
        elif type(owner) is Unknown and owner.history is None and (MODULE.search(name) or LOSS.match(name)):
            callee = unknown_attribute(owner, name)
    if type(callee) is Obj and callee.cls.unresolved and "@layer" in callee.attrs:
        return _layer(m, callee, args, kwargs, site)
    if type(callee) is not Unknown or callee.kind != "opaque" or callee.history is not None:
        return None
    name = _name(callee)
    if LOSS.match(name):
        operands = operands_in([*args, *kwargs.values()])
        if any(node_of(m, t) is not None for t in operands):
            return perform(m, name, operands, site, OPAQUE)
        return None
    if MAKES.match(name) and MODULE.search(name):
        return Unknown("opaque", MAKES.sub("", name))
    if not _is_module(callee):
        return None
    return _result(m, name, callee.label, _parameters(m, callee), [*args, *kwargs.values()], site)


def _name(value: Unknown) -> str:
    """What an unknown is called: the last name of its label, without the number behind it."""
    found = NAME.search(value.label)
    return found[1].rstrip("_0123456789") if found else ""


def _is_module(value: Unknown) -> bool:
    """Whether its name says that it is a module in training."""
    if value.kind != "opaque" or value.history is not None:
        return False
    name = _name(value)
    return MODULE.search(name) is not None and not FROZEN.search(value.label) and not DOES.search(name)


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
