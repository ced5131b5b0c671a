"""Objects that walk for the user's own loop: Accelerate's Accelerator, Lightning's Fabric, DeepSpeed's engine."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine.changes import Arithmetic, Condition, Leaf
from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Class, Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch import backward
from secondpass.pytorch.modules import Module
from secondpass.pytorch.operands import argument, perform
from secondpass.pytorch.optimizers import Optimizer

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine
    from secondpass.pytorch.functions import Run

ALIKE = frozenset(
    "prepare_model prepare_optimizer prepare_data_loader unwrap_model setup_module setup_optimizers setup_dataloaders "
    "gather reduce gather_for_metrics all_gather all_reduce to_device".split()
)
"""In one process they give back what they are given."""
SILENT = frozenset(
    "clip_grad_norm_ clip_grad_value_ clip_gradients wait_for_everyone print log save load end_training launch "
    "save_state load_state init_trackers barrier seed_everything".split()
)
MANAGERS = ("accumulate", "autocast", "no_backward_sync", "no_sync", "init_module")


class Accelerator(Native):
    """`accelerate.Accelerator` and `lightning.Fabric`: the user's own loop, `backward` through the object."""

    name = "accelerate.Accelerator"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["gradient_accumulation_steps"] = kwargs.get("gradient_accumulation_steps", 1)
        obj.attrs["@micro"] = 0

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "backward":
            loss = argument(args, kwargs, 0, "loss")
            if type(loss) is Unknown and loss.history is not None:
                loss = loss.tensor()
            if type(loss) is Tensor:
                return backward.backward(m, [perform(m, "div.scalar", [loss], site)], kwargs, site)
            return None
        if name in ("prepare", "setup"):
            return args[0] if len(args) == 1 else Seq("tuple", list(args))
        if name in ALIKE:
            return (args[0] if len(args) == 1 else Seq("tuple", list(args))) if args else None
        if name in SILENT:
            return None
        if name == "accumulate":
            self._accumulate(m, obj, site)
        if name in MANAGERS:
            return Unknown("number", name)
        return MISSING

    def _accumulate(self, m: Machine, obj: Obj, site: ast.AST) -> None:
        """Every k-th micro step is one that steps: a loop is followed until that has come round."""
        steps = obj.attrs.get("gradient_accumulation_steps")
        if type(steps) is int and steps > 0:
            obj.attrs["@micro"] += 1
            left = obj.attrs["@micro"] % steps
            obj.attrs["sync_gradients"] = left == 0
            m.counted(obj.attrs, "@micro")
            if m.iterations:
                m.watched.append((STEPPING, (obj.attrs["@micro"], steps, 0), left == 0))

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name == "sync_gradients" and obj.attrs.get("gradient_accumulation_steps") == 1:
            return True
        if name in ("device", "is_main_process", "sync_gradients", "num_processes", "process_index"):
            return m.unknown("number", name, obj)
        return MISSING


STEPPING = Condition(ast.Eq, Arithmetic(ast.Mod, Leaf(0), Leaf(1)), Leaf(2))
"""`micro_step % gradient_accumulation_steps == 0`."""


class DeepSpeedEngine(Module):
    """What `deepspeed.initialize(model=model)` returns: the model, with `backward(loss)` and `step()` on it."""

    name = "deepspeed.DeepSpeedEngine"

    def run(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return m.call(obj.attrs["module"], args, kwargs, site)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "backward":
            return ACCELERATOR.method(m, obj, name, args, kwargs, site)
        if name == "step":
            if type(obj.attrs.get("optimizer")) is Obj:
                m.call_method(obj.attrs["optimizer"], "step", [], {}, site)
                m.call_method(obj.attrs["optimizer"], "zero_grad", [], {}, site)
            return None
        own = super().method(m, obj, name, args, kwargs, site)
        return m.call_method(obj.attrs["module"], name, args, kwargs, site) if own is MISSING else own

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        own = super().attribute(m, obj, name, site)
        return m.getattr(obj.attrs["module"], name, site) if own is MISSING else own


class ScaledLoss(Native):
    """What `apex.amp.scale_loss(loss, optimizer)` gives: entered, it is a product of the loss."""

    def enter(self, m: Machine, obj: Obj, site: ast.AST) -> V:
        loss = obj.attrs["loss"]
        if type(loss) is Unknown and loss.history is not None:
            loss = loss.tensor()
        return perform(m, "mul.scalar", [loss], site) if type(loss) is Tensor else loss


def scale_loss(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`with apex.amp.scale_loss(loss, optimizer) as scaled_loss`."""
    scaled = Obj(Class("ScaledLoss", [], {}, SCALED))
    scaled.attrs["loss"] = argument(args, kwargs, 0, "loss")
    return scaled


def given_back(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """What takes a model (and an optimizer) and gives the same back: `apex.amp.initialize`, `fully_shard`."""
    given = [*args, *[kwargs[name] for name in ("models", "module", "model", "optimizers") if name in kwargs]]
    if len(given) > 1 and type(given[1]) is Obj and isinstance(given[1].cls.native_base(), Optimizer):
        return Seq("tuple", given[:2])
    return given[0] if given else Unknown()


def initialize(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`deepspeed.initialize(args, model, optimizer, ...)`: the engine, the optimizer, a loader, a scheduler."""
    engine = Obj(Class("DeepSpeedEngine", [], {}, ENGINE))
    engine.attrs["training"] = True
    engine.attrs["module"] = argument(args, kwargs, 1, "model", Unknown("opaque", "model"))
    optimizer = engine.attrs["optimizer"] = argument(args, kwargs, 2, "optimizer", Unknown("number", "optimizer"))
    return Seq("tuple", [engine, optimizer, Unknown("data", "loader"), Unknown("number", "scheduler")])


ACCELERATOR = Accelerator()
ENGINE = DeepSpeedEngine()
SCALED = ScaledLoss()
CLASSES: dict[str, Native] = dict.fromkeys(
    (
        "accelerate.Accelerator",
        "accelerate.accelerator.Accelerator",
        "lightning.Fabric",
        "lightning.fabric.Fabric",
        "lightning_fabric.Fabric",
    ),
    ACCELERATOR,
)
FUNCTIONS: dict[str, Run] = {
    "deepspeed.initialize": initialize,
    "apex.amp.scale_loss": scale_loss,
    **dict.fromkeys(
        (
            "apex.amp.initialize",
            "apex.parallel.DistributedDataParallel",
            "apex.parallel.convert_syncbn_model",
            "torch.distributed.tensor.parallel.parallelize_module",
            "torch.distributed.fsdp.FullyShardedDataParallel",
            "torch.distributed.fsdp.fully_shard",
            "torch.distributed._composable.fsdp.fully_shard",
        ),
        given_back,
    ),
}
