"""Methods that a framework calls, and calls the machine cannot see into.

An unresolved function may well be the one that cuts (`repackage_hidden`), an unresolved object may reset its state in
any method: what has passed through one has no known history. Only a few names say enough to be acted on: something
that is told `backward(loss)` walks the loss.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from secondpass.machine import settings
from secondpass.machine.graph import Leaf, Node
from secondpass.machine.values import (
    MISSING,
    BoundName,
    Dict,
    Function,
    Obj,
    Seq,
    Tensor,
    Unknown,
    V,
    tensors_in,
)
from secondpass.pytorch import backward, unseen, unseen_training
from secondpass.pytorch.loops import hooks_of, loop_of, run_loop
from secondpass.pytorch.modules import is_module, parameters
from secondpass.pytorch.operands import OPAQUE, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

WALKS = frozenset(("backward", "manual_backward"))
"""Methods of unresolved objects (accelerators, fabrics, engines) that walk the loss they are given."""


ITERATIONS = 3


def drive(m: Machine, obj: Obj, fn: Function, site: ast.AST) -> bool:
    """Call a method as its framework does; True if a framework calls it (whether or not it was called here)."""
    loop = loop_of(obj, fn.name)
    if loop is None:
        return False
    if m.modules is not None and m.modules.mentions("|".join(hooks_of(loop))):
        # A callback in another file may well cut what this one keeps: the file that brings both together shows.
        return True
    bodies = [name for body in loop.bodies if type(obj.cls.lookup(name := body.split()[0])) is Function]
    if bodies[0] != fn.name:
        return True
    callbacks = [Obj(cls) for cls in m.classes if any(c.name == loop.callback for c in cls.mro[1:])]
    if callbacks:
        m.lasting()
    if loop.prepare:
        m.call_method(obj, loop.prepare, [], {}, site)
    model = obj.attrs.get("model", Unknown("opaque", "model"))
    run_loop(m, loop, obj, callbacks, site, model=model)
    return True


def train(m: Machine, obj: Obj, fn: Function, site: ast.AST) -> None:
    """A few iterations of a loop that is elsewhere: a module is called on data, and what it returns is walked."""
    if not is_module(obj) or obj.cls.lookup("training_step") is not MISSING:
        return
    names = fn.params.names[1:]
    names = names[: len(names) - len(fn.defaults)]
    for iteration in range(ITERATIONS):
        m.iterations = ((site, iteration + 1),)
        returned = tensors_in(m.call(obj, [Unknown("data", n) for n in names], {}, site))
        roots = [t for t in returned if t.node is not None]
        if roots:
            backward.backward(m, [perform(m, "sum", roots, site, OPAQUE)], {}, site)
        for _, t in parameters(obj):
            t.grad = None
    m.iterations = ()


def escaped(m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """The result of a call into the unknown, and what it may have done to its arguments."""
    made = unseen.call(m, callee, args, kwargs, site)
    if made is not None:
        return made
    if type(callee) is BoundName:
        name = callee.name
        if name == "step" and unseen_training.is_optimizer(callee.self):
            return unseen_training.step(m, callee.self, [*args, *kwargs.values()], site)
        if name == "prepare" and args and type(callee.self) is Unknown and "accelerator" in callee.self.label:
            return args[0] if len(args) == 1 else Seq("tuple", list(args))
        if name in WALKS and args and type(args[0]) is Tensor and type(callee.self) in (Unknown, Obj):
            return backward.backward(m, args[:1], kwargs, site)
        if name in WALKS and type(callee.self) is Unknown:
            root = args[0] if args and type(args[0]) is Unknown else callee.self
            if unseen.has_graph(m, root, site):
                rest = args if root is callee.self else args[1:]
                named = dict(zip(("gradient", "retain_graph", "create_graph", "inputs"), rest, strict=False))
                return backward.backward(m, [root.tensor()], {**named, **kwargs}, site)
            backward.lost(m, [callee.self], site)
        if name == "scale" and len(args) == 1 and type(args[0]) is Tensor:
            return perform(m, "mul", [args[0], Tensor()], site)
        if type(callee.self) in (Obj, Unknown):
            forget(callee.self, set())
    elif type(callee) is Obj:
        forget(callee, set())
    for value in (*args, *kwargs.values()):
        m.record.escaped.extend(t.node for t in tensors_in(value) if type(t.node) is Node)
        forget(value, set())
    if type(callee) is BoundName and type(callee.self) is Unknown and callee.self.kind in ("number", "data"):
        owner, name = callee.self, callee.name
        if kwargs:
            return Unknown(owner.kind)
        return settings.derive(
            m.unknown(owner.kind, "call", owner, name, *args), lambda v, *rest: getattr(v, name)(*rest), owner, *args
        )
    return Unknown("opaque", getattr(callee, "label", "") or getattr(callee, "path", ""))


def forget(value: V, seen: set[int]) -> None:
    """What an unseen function may have done to the state inside an object or container: cut it, for all we know."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if type(value) is Obj:
        for key, inner in list(value.attrs.items()):
            if type(inner) is Tensor:
                if not inner.parameter and inner.node is not None and type(inner.node) is not Leaf:
                    value.attrs[key] = Tensor(None, inner.storage, inner.shape)
            elif isinstance(inner, (Obj, Seq, Dict, Unknown)) and not key.startswith("@"):
                forget(inner, seen)
    elif type(value) is Unknown:
        # `graph.edata["a"] = a`, and then `graph.apply_edges(f)`
        parts: list[dict[Any, V]] = [held for held in (value.attrs, value.items) if held]
        for held in parts:
            for name, inner in list(held.items()):
                if name == "@tensor":
                    continue
                if type(inner) is Tensor and inner.node is not None and type(inner.node) is not Leaf:
                    held[name] = Tensor(None, inner.storage, inner.shape)
                elif isinstance(inner, (Obj, Seq, Dict, Unknown)):
                    forget(inner, seen)
    elif type(value) is Seq:
        for i, inner in enumerate(value.items):
            if (
                type(inner) is Tensor
                and inner.node is not None
                and type(inner.node) is not Leaf
                and value.kind != "tuple"
            ):
                value.items[i] = Tensor(None, inner.storage, inner.shape)
            elif isinstance(inner, (Obj, Seq, Dict)):
                forget(inner, seen)
    elif type(value) is Dict:
        for key, (name, inner) in list(value.items.items()):
            if type(inner) is Tensor and inner.node is not None and type(inner.node) is not Leaf:
                value.items[key] = (name, Tensor(None, inner.storage, inner.shape))
            elif isinstance(inner, (Obj, Seq, Dict)):
                forget(inner, seen)
