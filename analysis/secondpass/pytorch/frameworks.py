"""Frameworks that own the loop or the backward, and calls the machine cannot see into.

An unresolved function may well be the one that cuts (`repackage_hidden`), an unresolved object may reset its state in
any method: what has passed through one has no known history. Only a few names say enough to be acted on: something
that is told `backward(loss)` walks the loss.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine.graph import Leaf
from secondpass.machine.native import Native
from secondpass.machine.values import (
    MISSING,
    Bound,
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
from secondpass.pytorch import backward, unseen
from secondpass.pytorch.modules import Module, is_module, parameters
from secondpass.pytorch.operands import OPAQUE, argument, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine
    from secondpass.pytorch.functions import Run

WALKS = frozenset(("backward", "manual_backward"))
"""Methods of unresolved objects (accelerators, fabrics, engines) that walk the loss they are given."""


class LightningModule(Module):
    """`LightningModule`: `manual_backward(loss)` walks; `self.log` keeps nothing."""

    name = "lightning.LightningModule"

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "manual_backward":
            return backward.backward(m, args[:1], kwargs, site)
        if name in (
            "log",
            "log_dict",
            "save_hyperparameters",
            "print",
            "toggle_optimizer",
            "untoggle_optimizer",
            "freeze",
            "unfreeze",
        ):
            return None
        if name == "clip_gradients":
            return None
        if name in ("optimizers", "lr_schedulers"):
            found = obj.attrs.get("@optimizers", MISSING)
            if found is MISSING:
                configured = obj.cls.lookup("configure_optimizers")
                found = m.call(configured, [obj], {}, site) if type(configured) is Function else Unknown()
                obj.attrs["@optimizers"] = found
            return found
        return super().method(m, obj, name, args, kwargs, site)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("trainer", "logger", "hparams", "device", "global_step", "current_epoch", "fabric"):
            obj.attrs[name] = Unknown("opaque" if name == "hparams" else "number", name)
            return obj.attrs[name]
        return super().attribute(m, obj, name, site)


class Accelerator(Native):
    """`accelerate.Accelerator` and `lightning.Fabric`: the user's own loop, `backward` through the object."""

    name = "accelerate.Accelerator"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["gradient_accumulation_steps"] = kwargs.get("gradient_accumulation_steps", 1)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "backward":
            loss = argument(args, kwargs, 0, "loss")
            if type(loss) is Tensor:
                scaled = perform(m, "div.scalar", [loss], site)
                return backward.backward(m, [scaled], kwargs, site)
            return None
        if name in ("prepare", "setup"):
            return args[0] if len(args) == 1 else Seq("tuple", list(args))
        if name in (
            "prepare_model",
            "prepare_optimizer",
            "prepare_data_loader",
            "unwrap_model",
            "setup_dataloaders",
            "gather",
            "reduce",
            "gather_for_metrics",
        ):
            return args[0] if args else None
        if name in (
            "clip_grad_norm_",
            "clip_grad_value_",
            "clip_gradients",
            "wait_for_everyone",
            "print",
            "log",
            "save",
            "end_training",
        ):
            return None
        if name in ("accumulate", "autocast", "no_backward_sync", "no_sync"):
            return Unknown("number", name)
        return MISSING

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("device", "is_main_process", "sync_gradients", "num_processes", "process_index"):
            return m.unknown("number", name, obj)
        return MISSING


_LIGHTNING = LightningModule()
_ACCELERATOR = Accelerator()
CLASSES: dict[str, Native] = {
    "lightning.LightningModule": _LIGHTNING,
    "lightning.pytorch.LightningModule": _LIGHTNING,
    "pytorch_lightning.LightningModule": _LIGHTNING,
    "pytorch_lightning.core.LightningModule": _LIGHTNING,
    "lightning.pytorch.core.LightningModule": _LIGHTNING,
    "accelerate.Accelerator": _ACCELERATOR,
    "lightning.Fabric": _ACCELERATOR,
    "lightning.fabric.Fabric": _ACCELERATOR,
    "lightning_fabric.Fabric": _ACCELERATOR,
}
FUNCTIONS: dict[str, Run] = {}


DRIVERS: dict[str, tuple[str, ...]] = {
    "training_step": ("LightningModule",),
    "compute_loss": ("Trainer", "Seq2SeqTrainer", "SFTTrainer"),
    "get_loss": ("NeuralNet", "NeuralNetClassifier", "NeuralNetRegressor", "NeuralNetBinaryClassifier"),
}
"""Methods that a framework calls for every batch, walking what they return, by the names of the framework's classes."""
AFTER_BATCH = ("on_before_zero_grad", "on_after_backward", "on_train_batch_end")
TURNS = 3


def drive(m: Machine, obj: Obj, fn: Function, site: ast.AST) -> bool:
    """Call a method as its framework does; True if a framework calls it (whether or not it was called here)."""
    if not any(cls.name in DRIVERS.get(fn.name, ()) for cls in obj.cls.mro):
        return False
    if m.modules is not None and m.modules.mentions("|".join(AFTER_BATCH)):
        # A callback in another file may well cut what this one keeps: the file that brings both together shows.
        return True
    seen = [Obj(cls) for cls in m.classes if any(c.name == "Callback" for c in cls.mro)]
    if seen:
        m.lasting()
    run_batches(m, obj, fn, seen, site)
    return True


def run_batches(m: Machine, obj: Obj, fn: Function, callbacks: list[V], site: ast.AST) -> None:
    """A few batches: the method, a backward of what it returns, a step, the hooks of the object and the callbacks."""
    manual = obj.attrs.get("automatic_optimization") is False
    names = fn.params.names[1:]
    names = names[: len(names) - len(fn.defaults)]
    outer = m.turns
    for turn in range(TURNS):
        m.turns = (*outer, (site, turn + 1))
        args: list[V] = [turn if "idx" in n else Unknown("opaque" if "model" in n else "data", n) for n in names]
        result = m.call(Bound(fn, obj), args, {}, site)
        if not manual:
            _walk_result(m, obj, result, site)
        for name in AFTER_BATCH:
            hook = obj.cls.lookup(name)
            if type(hook) is Function:
                m.call(Bound(hook, obj), [Unknown("opaque", p) for p in hook.params.names[1:]], {}, site)
            for callback in callbacks:
                hook = callback.cls.lookup(name) if type(callback) is Obj else MISSING
                if type(hook) is Function:
                    rest: list[V] = [Unknown("opaque", p) for p in hook.params.names[3:]]
                    m.call(hook, [callback, Unknown("opaque", "trainer"), obj, *rest], {}, site)
    m.turns = outer


def _walk_result(m: Machine, obj: Obj, result: V, site: ast.AST) -> None:
    loss = result
    if type(result) is Dict:
        loss = result.items.get("loss", (None, None))[1]
    elif type(result) is Seq and result.items:
        loss = result.items[0]
    if type(loss) is Unknown and loss.history is not None:
        loss = loss.tensor()
    if type(loss) is not Tensor or loss.node is None:
        return
    backward.backward(m, [perform(m, "div.scalar", [loss], site)], {}, site)
    for _, t in parameters(obj) if is_module(obj) else ():
        if t.grad is not None:
            m.bump(t.storage, site)
            t.grad = None


def train(m: Machine, obj: Obj, fn: Function, site: ast.AST) -> None:
    """A few turns of a loop that is elsewhere: a module is called on data, and what it returns is walked."""
    if not is_module(obj) or obj.cls.lookup("training_step") is not MISSING:
        return
    names = fn.params.names[1:]
    names = names[: len(names) - len(fn.defaults)]
    for turn in range(TURNS):
        m.turns = ((site, turn + 1),)
        returned = tensors_in(m.call(obj, [Unknown("data", n) for n in names], {}, site))
        roots = [t for t in returned if t.node is not None]
        if roots:
            backward.backward(m, [perform(m, "sum", roots, site, OPAQUE)], {}, site)
        for _, t in parameters(obj):
            t.grad = None
    m.turns = ()


class LightningTrainer(Native):
    """`lightning.Trainer`: `fit(model)` runs the model's training_step with the callbacks it was given."""

    name = "lightning.Trainer"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        given = kwargs.get("callbacks")
        obj.attrs["@callbacks"] = list(given.items) if type(given) is Seq else [] if given is None else [given]

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "fit":
            model = argument(args, kwargs, 0, "model")
            step = model.cls.lookup("training_step") if type(model) is Obj else MISSING
            if type(step) is Function:
                run_batches(m, model, step, obj.attrs["@callbacks"], site)
            return None
        return Unknown("opaque", name)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        return Unknown("number", name)


for _path in ("lightning.Trainer", "lightning.pytorch.Trainer", "pytorch_lightning.Trainer"):
    CLASSES[_path] = LightningTrainer()


def escaped(m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """The result of a call into the unknown, and what it may have done to its arguments."""
    made = unseen.call(m, callee, args, kwargs, site)
    if made is not None:
        return made
    if type(callee) is BoundName:
        name = callee.name
        if name in WALKS and args and type(args[0]) is Tensor and type(callee.self) in (Unknown, Obj):
            return backward.backward(m, args[:1], kwargs, site)
        if name == "scale" and len(args) == 1 and type(args[0]) is Tensor:
            return perform(m, "mul", [args[0], Tensor()], site)
        if type(callee.self) is Obj:
            forget(callee.self, set())
    elif type(callee) is Obj:
        forget(callee, set())
    for value in (*args, *kwargs.values()):
        forget(value, set())
    if type(callee) is BoundName and type(callee.self) is Unknown and callee.self.kind in ("number", "data"):
        return (
            m.unknown(callee.self.kind, "call", callee.self, callee.name, *args)
            if not kwargs
            else Unknown(callee.self.kind)
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
            elif isinstance(inner, (Obj, Seq, Dict)) and not key.startswith("@"):
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
