"""Parameters of modules that are not seen, and the optimizers that step them.

One tensor stands for all parameters of such a module. What a module returns saves its version, as a network of more
than one layer does; an optimizer in sight moves it as it moves any parameter. An optimizer that is not seen either
moves the modules that are called as it is (`judge_opt` and `judge_net`), or, if its name says nothing more than that it
is an optimizer and there is no other, all that were walked.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from secondpass.machine.graph import Leaf
from secondpass.machine.values import Bound, Builtin, Function, Partial, Seq, Tensor, Unknown, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

OPTIMIZER = re.compile(r"^(\w*?)_?opt(?:im)?(?:i[sz]er)?_?(\w{0,14})$", re.I)
"""Names people give to optimizers: what stands before or behind the word says what it steps."""
MODEL = re.compile(r"model|network|net|_", re.I)
"""What the name of a module has beside the word that says which one it is."""
CALLED = (Function, Bound, Partial, Builtin)


def new_parameter(m: Machine) -> Tensor:
    """A tensor that stands for parameters."""
    made = Tensor()
    made.parameter = True
    made.node = Leaf(made, m.site, m.chain)
    return made


def weights_of(m: Machine, module: Unknown) -> Tensor | None:
    """What stands for the parameters of a module that is called; None if it is not being trained."""
    attrs = _attrs(module)
    if "@parameters" not in attrs:
        if attrs.get("@mode") == "eval":
            return None
        attrs["@parameters"] = new_parameter(m)
        _known(m).append((module, attrs["@parameters"]))
    found: Tensor = attrs["@parameters"]
    if attrs.get("@mode") == "eval" and not (type(found.node) is Leaf and found.node.optimized):
        return None
    return found


def parameter_of(m: Machine, module: Unknown, name: str) -> Tensor:
    """An attribute of a module that is a parameter."""
    made = new_parameter(m)
    _attrs(module)[name] = made
    _known(m).append((module, made))
    return made


def parameters(m: Machine, module: Unknown, named: bool) -> V:
    """`module.parameters()`: whatever has them is a module."""
    attrs = _attrs(module)
    if "@parameters" not in attrs:
        attrs["@parameters"] = new_parameter(m)
        _known(m).append((module, attrs["@parameters"]))
    found: list[V] = _below(module)
    if named:
        found = [Seq("tuple", [Unknown("number", "name"), t]) for t in found]
    return Seq("list", found, True)


def _below(module: Unknown) -> list[V]:
    """The parameters of a module and of those of its parts that were used."""
    found: list[V] = []
    for value in (module.attrs or {}).values():
        if type(value) is Tensor and value.parameter:
            found.append(value)
        elif type(value) is Unknown and value is not module:
            found.extend(_below(value))
    return found


def given_to_optimizer(value: Unknown) -> bool:
    """Whether its parameters went into an optimizer that is seen."""
    weights = value.attrs.get("@parameters") if value.attrs is not None else None
    return weights is not None and type(weights.node) is Leaf and weights.node.optimized


def set_mode(m: Machine, module: Unknown, name: str, wanted: bool) -> None:
    """`train`, `eval`, `requires_grad_`: a module that is only evaluated is not believed to train."""
    attrs = _attrs(module)
    if name != "requires_grad_":
        attrs["@mode"] = "train" if name == "train" and wanted else "eval"
        return
    weights = attrs.setdefault("@parameters", new_parameter(m))
    if not wanted:
        weights.node = None
    elif weights.node is None:
        weights.node = Leaf(weights, m.site, m.chain)


def is_optimizer(value: V) -> bool:
    """Whether something not seen is an optimizer by its name."""
    return type(value) is Unknown and value.kind == "opaque" and OPTIMIZER.match(_last(value.label)) is not None


def step(m: Machine, optimizer: Unknown, args: list[V], site: ast.AST) -> V:
    """`optimizer.step(closure)` of one that is not seen."""
    loss: V = None
    if args and type(args[0]) in CALLED:
        mode, m.grad_mode = m.grad_mode, True
        try:
            loss = m.call(args[0], [], {}, site)
        finally:
            m.grad_mode = mode
    which = _which(optimizer.label)
    met: set[str] = m.memo.setdefault(("@optimizers",), (set(),))[0]
    met.add(optimizer.label)
    for module, weights in _known(m):
        name = MODEL.sub("", _last(module.label)).lower()
        mine = _fits(which, name) if which else len(met) == 1
        seen_elsewhere = type(weights.node) is Leaf and weights.node.optimized
        if mine and not seen_elsewhere and weights.grad is not None:
            m.bump(weights.storage, site)
    return loss


def _fits(which: str, name: str) -> bool:
    return bool(which) and bool(name) and (name.startswith(which) or which.startswith(name))


def _which(label: str) -> str:
    """What an optimizer's name says of what it steps; nothing if it only says that it is an optimizer."""
    found = OPTIMIZER.match(_last(label))
    return MODEL.sub("", (found[1] or found[2]) if found else "").lower()


def _last(label: str) -> str:
    return label.replace("[...]", "").rpartition(".")[2]


def _attrs(module: Unknown) -> dict[str, V]:
    if module.attrs is None:
        module.attrs = {}
    return module.attrs


def _known(m: Machine) -> list[tuple[Unknown, Tensor]]:
    """The parameters of modules not seen that this run has met."""
    known: list[tuple[Unknown, Tensor]] = m.memo.setdefault(("@unseen",), ([],))[0]
    return known
