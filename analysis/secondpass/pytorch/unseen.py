"""Modules and losses that are handed in from elsewhere: what a call of `model(x, hidden)` may be believed to do.

Names are a prior, never a fact. Something called `model` that is called like a function is taken for a module with
trainable parameters; what it returns depends on all its tensor arguments. Whatever is found by that belief says so, and
is never more than a warning.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from secondpass.machine.attributes import unknown_attribute
from secondpass.machine.autograd import node_of
from secondpass.machine.containers import get_item
from secondpass.machine.elements import UNSEEN
from secondpass.machine.graph import Leaf
from secondpass.machine.values import MISSING, BoundName, Iter, Obj, Seq, Tensor, Unknown, V
from secondpass.machine.ways import WALKED
from secondpass.pytorch import unseen_training
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
ANY = 0xFFFF
"""The mask of what is saved whichever operand's gradient is wanted."""
NAME = re.compile(r"(\w+)\W*$")
MOVES = frozenset("to cuda cpu xpu mps float double half bfloat16 to_empty share_memory".split())
"""Methods that give back what they are called on, moved or converted."""
MODES = frozenset("train eval requires_grad_ apply".split())
"""Methods of modules that give back the module."""
TRAINABLE = re.compile(r"^(?:(?:weight|bias)(?:_\w+)?|log_(?:std|sigma|var|alpha|scale)\w*|logit_scale)$")
"""Attributes of modules that are parameters by their names."""


def call(m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """The result of calling something that looks like a module or a loss; None for anything else."""
    if type(callee) is BoundName:
        owner, name = callee.self, callee.name
        if type(owner) is Unknown and owner.kind == "opaque" and owner.history is None:
            made = _of_module(m, owner, name, args, kwargs)
            if made is not None:
                return made
        if type(owner) is Unknown and owner.kind == "opaque" and name in ("values", "items", "get"):
            return _of_dict(m, owner, name, args)
        if name == "forward":
            callee = owner
        elif type(owner) is Unknown and METHOD.match(name) and _is_module(owner):
            return _result(
                m, name, f"{owner.label}.{name}", unseen_training.weights_of(m, owner), [*args, *kwargs.values()], site
            )
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
    return _result(m, name, callee.label, unseen_training.weights_of(m, callee), [*args, *kwargs.values()], site)


def has_graph(m: Machine, value: Unknown, site: ast.AST) -> bool:
    """Whether something not seen that is walked is a loss: its walk works once, so it has a graph.

    An attribute of something else may be another loss each time.
    """
    label = value.label.replace("[...]", "")
    if value.kind != "opaque" or not m.grad_mode or not WALKED.search(label) or "." in label:
        return False
    m.record.leaves_graph = True
    if value.history is None:
        value.history = m.new_node(label, site, [], True)
        value.tensor().node = value.history
    return True


def part(m: Machine, value: Unknown, name: str) -> V:
    """An attribute of something not seen: the module inside a wrapper, a weight of a module that trains."""
    if name == "module" and _is_module(value):
        return value
    if TRAINABLE.match(name) and value.kind == "opaque" and _trains(value):
        made = unseen_training.parameter_of(m, value, name)
        assert value.attrs is not None
        value.attrs[name] = made
        return made
    return MISSING


def _trains(value: Unknown) -> bool:
    """Whether it is a module in training, or a part of one."""
    found: Unknown | None = value
    while found is not None:
        if _is_module(found):
            return True
        found = found.whole
    return False


def _of_module(m: Machine, owner: Unknown, name: str, args: list[V], kwargs: dict[str, V]) -> V:
    """Methods that say little of what they are called on and change nothing of it; None for any other."""
    if name in MOVES:
        return owner
    if name in ("parameters", "named_parameters"):
        return unseen_training.parameters(m, owner, name == "named_parameters")
    if name in MODES and _is_module(owner):
        wanted = args[0] if args else kwargs.get("mode", kwargs.get("requires_grad"))
        if name != "apply":
            unseen_training.set_mode(m, owner, name, wanted is not False)
        return owner
    return None


def _of_dict(m: Machine, owner: Unknown, name: str, args: list[V]) -> V:
    """What a dict that is not seen gives: its values are called what it is called."""
    if name == "get":
        return get_item(m, owner, args[0], m.site) if args else None
    made = unknown_attribute(owner, f"@{name}")
    made.label = owner.label
    if name == "values":
        return made
    values = unknown_attribute(owner, "@values")
    values.label = owner.label
    pairs = (Seq("tuple", [_key(m, owner, i), get_item(m, values, i, m.site)]) for i in range(UNSEEN))
    return Iter(pairs, True)


def _key(m: Machine, owner: Unknown, number: int) -> V:
    """A key of a dict that is not seen: the same one in every dict of that name."""
    return m.memo.setdefault(("@key", owner.label or id(owner), number), (Unknown("number", "key"),))[0]


def _name(value: Unknown) -> str:
    """What an unknown is called: the last name of its label, without the number behind it."""
    found = NAME.search(value.label)
    return found[1].rstrip("_0123456789") if found else ""


def _is_module(value: Unknown) -> bool:
    """Whether its name says that it is a module in training."""
    if value.kind != "opaque" or value.history is not None:
        return False
    if unseen_training.given_to_optimizer(value):
        return True
    name = _name(value)
    return MODULE.search(name) is not None and not FROZEN.search(value.label) and not DOES.search(name)


def _layer(m: Machine, layer: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """A part of a module whose class is not seen."""
    weights = layer.attrs.get("@parameters")
    if weights is None:
        weights = layer.attrs["@parameters"] = unseen_training.new_parameter(m)
    return _result(m, layer.cls.name, layer.cls.name, weights, [*args, *kwargs.values()], site)


def _result(m: Machine, name: str, label: str, weights: Tensor | None, given: list[V], site: ast.AST) -> V:
    """What depends on these parameters (None for a module that does not train) and on every tensor that was given."""
    inputs = [n for t in operands_in(given) if (n := node_of(m, t)) is not None]
    leaf = weights.node if weights is not None else None
    if not m.grad_mode or (leaf is None and not inputs):
        return Unknown("data", name)
    node = m.new_node(name, site, inputs, True)
    node.unseen, node.assumed = f"`{label}`", None
    if weights is not None and leaf is not None:
        node.inputs.append(leaf)
        here = len(node.inputs) - 1
        node.saved = [(weights.storage, weights.storage.version, weights.storage.silent, here, ANY)]
        node.eventful = True
        if not (type(leaf) is Leaf and leaf.optimized):
            node.assumed = f"`{label}` has parameters that train"
    made = Unknown("opaque", name)
    made.history = node
    return made
