"""The classes of frameworks that own the loop: Lightning, transformers, skorch, fastai. Their loops: loops.py."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Class, Dict, External, Function, Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch import backward
from secondpass.pytorch.accelerators import ACCELERATOR
from secondpass.pytorch.loops import FASTAI, LIGHTNING, SKORCH, TRANSFORMERS, run_loop, walk_mean
from secondpass.pytorch.modules import Module
from secondpass.pytorch.operands import OPAQUE, argument, operands_in, perform
from secondpass.pytorch.optimizers import Optimizer

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


def listed(m: Machine, given: V, site: ast.AST) -> list[Obj]:
    """The callbacks that a trainer was given: one or a list of them, classes made into objects, names left out."""
    found = []
    for item in given.items if type(given) is Seq else [given]:
        if type(item) is Seq and len(item.items) == 2:
            item = item.items[1]
        if type(item) is Class:
            item = m.call(item, [], {}, site)
        if type(item) is Obj:
            found.append(item)
    return found


class LightningModule(Module):
    """`LightningModule`: `manual_backward(loss)` walks; `self.log` keeps nothing."""

    name = "lightning.LightningModule"

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "manual_backward":
            return backward.backward(m, args[:1], kwargs, site)
        if name in ("toggle_optimizer", "untoggle_optimizer"):
            return self.toggle(m, obj, args[0] if args and name.startswith("toggle") else None)
        if name in ("log", "log_dict", "save_hyperparameters", "print", "clip_gradients"):
            return None
        if name == "backward":
            return backward.backward(m, args[:1], kwargs, site)
        if name in ("freeze", "unfreeze"):
            return m.call_method(obj, "requires_grad_", [name == "unfreeze"], {}, site)
        if name in ("optimizers", "lr_schedulers"):
            found = obj.attrs.get("@optimizers", MISSING)
            if found is MISSING:
                configured = obj.cls.lookup("configure_optimizers")
                found = m.call(configured, [obj], {}, site) if type(configured) is Function else Unknown()
                obj.attrs["@optimizers"] = found = _optimizers(found)
            return found
        return super().method(m, obj, name, args, kwargs, site)

    def toggle(self, m: Machine, obj: Obj, optimizer: V) -> None:
        """`toggle_optimizer`: what the other optimizers train requires no grad until it is untoggled."""
        for t, node in obj.attrs.pop("@toggled", []):
            t.node = node
        if type(optimizer) is not Obj:
            return
        kept = {id(t) for t in _trained_by(optimizer)}
        mine = obj.attrs.get("@optimizers")
        others = [o for o in (mine.items if type(mine) is Seq else []) if o is not optimizer and type(o) is Obj]
        frozen = {id(t): t for o in others for t in _trained_by(o) if id(t) not in kept}
        obj.attrs["@toggled"] = [(t, t.node) for t in frozen.values()]
        for t in frozen.values():
            t.node = None

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("trainer", "logger", "hparams", "device", "global_step", "current_epoch", "fabric"):
            obj.attrs[name] = Unknown("opaque" if name == "hparams" else "number", name)
            return obj.attrs[name]
        return super().attribute(m, obj, name, site)


def _optimizers(configured: V) -> V:
    """What `self.optimizers()` gives of what `configure_optimizers` returns: schedulers are left out."""
    if type(configured) is Dict and "optimizer" in configured.items:
        return configured.items["optimizer"][1]
    if type(configured) is Seq and len(configured.items) == 2 and type(configured.items[0]) is Seq:
        configured = configured.items[0]
    if type(configured) is Seq:
        items = [_optimizers(item) for item in configured.items]
        return items[0] if len(items) == 1 else Seq("list", items)
    return configured


def _trained_by(optimizer: Obj) -> list[Tensor]:
    native = optimizer.cls.native_base()
    return native.tensors(optimizer) if isinstance(native, Optimizer) else []


class LightningTrainer(Native):
    """`lightning.Trainer`: `fit(model)` runs the model's training_step with the callbacks it was given."""

    name = "lightning.Trainer"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["@callbacks"] = listed(m, kwargs.get("callbacks"), site)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "fit":
            model = argument(args, kwargs, 0, "model")
            if type(model) is Obj and type(model.cls.lookup("training_step")) is Function:
                loader = argument(args, kwargs, 1, "train_dataloaders")
                own = model.cls.lookup("train_dataloader")
                if loader is None and type(own) is Function:
                    loader = m.call(own, [model], {}, site)
                model.attrs["trainer"] = obj
                run_loop(m, LIGHTNING, model, obj.attrs["@callbacks"], site, loader, trainer=obj)
            return None
        return Unknown("opaque", name)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        # Metrics are detached, counters are numbers.
        return Unknown("data" if name.endswith("metrics") else "number", name)


class HFTrainer(Native):
    """`transformers.Trainer`: `train()` calls `training_step` a batch, which walks what `compute_loss` returns."""

    name = "transformers.Trainer"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["model"] = argument(args, kwargs, 0, "model", Unknown("opaque", "model"))
        obj.attrs["@callbacks"] = listed(m, kwargs.get("callbacks"), site)
        obj.attrs["@data"] = kwargs.get("train_dataset")
        accelerator = Obj(Class("Accelerator", [], {}, ACCELERATOR))
        ACCELERATOR.init(m, accelerator, [], {}, site)
        obj.attrs["accelerator"] = accelerator

    def has_method(self, name: str) -> bool:
        return name in ("train", "training_step", "compute_loss")

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "train":
            model = obj.attrs.get("model", Unknown("opaque", "model"))
            run_loop(m, TRANSFORMERS, obj, obj.attrs.get("@callbacks", []), site, None, model=model)
            return Unknown("number", "output")
        if name == "training_step":
            loss = m.call_method(obj, "compute_loss", list(args[:2]), {}, site)
            walk_mean(m, loss.items[0] if type(loss) is Seq and loss.items else loss, site)
            return Tensor()
        if name == "compute_loss":
            outputs = m.call(args[0], [], {"inputs": args[1]}, site) if len(args) > 1 else Unknown()
            loss = (
                outputs.items.get("loss", (None, None))[1]
                if type(outputs) is Dict
                else m.getattr(outputs, "loss", site)
            )
            wanted = argument(args, kwargs, 2, "return_outputs", False)
            return Seq("tuple", [loss, outputs]) if wanted is True else loss
        if name in ("add_callback",):
            obj.attrs["@callbacks"] = [*obj.attrs.get("@callbacks", []), *listed(m, args[0] if args else None, site)]
            return None
        if name in ("log", "save_model", "evaluate", "predict", "prediction_step", "floating_point_ops"):
            return Unknown("number", name)
        if name == "_prepare_inputs":
            return args[0] if args else None
        return Unknown("opaque", name)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("args", "state", "control", "optimizer", "lr_scheduler", "label_smoother"):
            obj.attrs[name] = Unknown("number", name)
            return obj.attrs[name]
        return MISSING


class SkorchNet(Native):
    """`skorch.NeuralNet`: `fit` trains the module it was given; `get_loss` and `infer` are called in each batch."""

    name = "skorch.NeuralNet"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["module"] = argument(args, kwargs, 0, "module", Unknown("opaque", "model"))
        obj.attrs["criterion"] = argument(args, kwargs, 1, "criterion")
        for name, value in kwargs.items():
            obj.attrs.setdefault(name, value)

    def has_method(self, name: str) -> bool:
        return name in ("fit", "partial_fit", "initialize", "get_loss", "infer", "train_step_single")

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        run = getattr(self, f"do_{name}", None)
        if run is not None:
            return run(m, obj, args, kwargs, site)
        if name.startswith(("predict", "score", "evaluation")):
            return Unknown("data", name)
        return obj if name in ("set_params", "initialize_callbacks") else Unknown("number", name)

    def do_initialize(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        made = obj.attrs.get("module")
        if type(made) in (Class, External, Function):
            given = {k.removeprefix("module__"): v for k, v in obj.attrs.items() if k.startswith("module__")}
            made = m.call(made, [], given, site)
        obj.attrs["module_"] = made
        obj.attrs["@callbacks"] = listed(m, obj.attrs.get("callbacks"), site)
        return obj

    def do_fit(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        m.call_method(obj, "initialize", [], {}, site)
        return self.do_partial_fit(m, obj, args, kwargs, site)

    def do_partial_fit(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if "module_" not in obj.attrs:
            m.call_method(obj, "initialize", [], {}, site)
        run_loop(m, SKORCH, obj, obj.attrs.get("@callbacks", []), site)
        return obj

    def do_infer(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        module = obj.attrs.get("module_", MISSING)
        return m.call(Unknown("opaque", "model") if module is MISSING else module, args[:1], {}, site)

    def do_get_loss(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return perform(m, "loss", operands_in(args[:2]), site, OPAQUE) if args else Unknown()

    def do_train_step_single(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        x, y = Unknown("data", "X"), Unknown("data", "y")
        y_pred = m.call_method(obj, "infer", [x], {}, site)
        loss = m.call_method(obj, "get_loss", [y_pred, y], {"X": x, "training": True}, site)
        walk_mean(m, loss, site)
        return Dict({"loss": ("loss", loss), "y_pred": ("y_pred", y_pred)})

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("history", "history_", "device", "optimizer_", "lr", "batch_size", "max_epochs", "verbose"):
            return Unknown("number", name)
        return MISSING


class FastaiCallback(Native):
    """`fastai.callback.core.Callback`: what it does not have itself is the learner's."""

    name = "fastai.Callback"

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        learner = obj.attrs.get("learn")
        if type(learner) is Obj and name != "learn":
            return learner.attrs.get(name, Unknown("number", name))
        return Unknown("opaque", name)


class Learner(Native):
    """`fastai.learner.Learner`: forward, loss and backward of each batch, with a hook before and after every one."""

    name = "fastai.Learner"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["model"] = argument(args, kwargs, 1, "model", Unknown("opaque", "model"))
        obj.attrs["loss_func"] = argument(args, kwargs, 2, "loss_func")
        obj.attrs["@callbacks"] = listed(m, kwargs.get("cbs"), site)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name.startswith("fit") or name == "fine_tune":
            more = listed(m, kwargs.get("cbs"), site)
            run_loop(m, FASTAI, obj, [*obj.attrs["@callbacks"], *more], site)
            return None
        if name == "add_cb":
            obj.attrs["@callbacks"] += listed(m, args[0] if args else None, site)
            return obj
        if name == "one_batch":
            self.one_batch(m, obj, site)
            return None
        return Unknown("number", name)

    def one_batch(self, m: Machine, obj: Obj, site: ast.AST) -> None:
        x, y = Unknown("data", "x"), Unknown("data", "y")
        obj.attrs.update(xb=Seq("tuple", [x]), yb=Seq("tuple", [y]), x=x, y=y, training=True)
        pred = obj.attrs["pred"] = m.call(obj.attrs["model"], list(obj.attrs["xb"].items), {}, site)
        self._tell(m, obj, "after_pred", site)
        pred, loss_of = obj.attrs["pred"], obj.attrs.get("loss_func")
        given = [pred, *obj.attrs["yb"].items]
        loss = m.call(loss_of, given, {}, site) if loss_of is not None else MISSING
        if type(loss) is not Tensor:
            loss = perform(m, "loss", operands_in(given), site, OPAQUE)
        obj.attrs["loss"] = obj.attrs["loss_grad"] = loss
        self._tell(m, obj, "after_loss", site)
        self._tell(m, obj, "before_backward", site)
        walk_mean(m, obj.attrs["loss_grad"], site)
        self._tell(m, obj, "after_backward", site)
        self._tell(m, obj, "before_step", site)

    def _tell(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> None:
        for callback in obj.attrs["@callbacks"]:
            fn = callback.cls.lookup(name)
            if type(fn) is Function:
                m.call(fn, [callback], {}, site)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        return Unknown("number", name)


def _paths(native: Native, *paths: str) -> dict[str, Native]:
    return dict.fromkeys(paths, native)


CLASSES: dict[str, Native] = {
    **_paths(
        LightningModule(),
        "lightning.LightningModule",
        "lightning.pytorch.LightningModule",
        "lightning.pytorch.core.LightningModule",
        "pytorch_lightning.LightningModule",
        "pytorch_lightning.core.LightningModule",
    ),
    **_paths(LightningTrainer(), "lightning.Trainer", "lightning.pytorch.Trainer", "pytorch_lightning.Trainer"),
    **_paths(
        HFTrainer(),
        "transformers.Trainer",
        "transformers.trainer.Trainer",
        "transformers.Seq2SeqTrainer",
        "trl.SFTTrainer",
    ),
    **_paths(SkorchNet(), *(f"skorch.{name}" for name in SKORCH.bases), "skorch.net.NeuralNet"),
    **_paths(
        FastaiCallback(),
        "fastai.callback.core.Callback",
        "fastai.basics.Callback",
        "fastai.vision.all.Callback",
        "fastai.callback.all.Callback",
    ),
    **_paths(Learner(), "fastai.learner.Learner", "fastai.basics.Learner", "fastai.vision.all.Learner"),
}
