"""Optimizers: what they step, whether a step is seen by autograd's version counter, closures, schedulers, scalers."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from secondpass.machine.containers import endless
from secondpass.machine.graph import Leaf
from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Dict, Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch.graph_values import hook_handle
from secondpass.pytorch.operands import argument, operands_in, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


def _all(m: Machine, source: V) -> list[V]:
    return list(islice(m.iterate(source), 3 if endless(source) else 5000))


class Optimizer(Native):
    """`torch.optim.*`: `step` moves the version of every parameter that has a gradient."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.many = name.endswith("LBFGS")

    def has_method(self, name: str) -> bool:
        return name in ("step", "zero_grad", "state_dict", "load_state_dict", "add_param_group")

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        groups: list[V] = []
        source = argument(args, kwargs, 0, "params")
        items: list[V] = []
        if type(source) is Unknown or source is None:
            obj.attrs["@open"] = True
        elif type(source) is Tensor:
            items = [source]
        else:
            items = _all(m, source)
        plain: list[V] = []
        defaults = {k: (k, v) for k, v in kwargs.items() if k != "params"}
        for item in items:
            if type(item) is Dict:
                group = Dict({**defaults, **item.items})
                found = item.items.get("params")
                group.items["params"] = ("params", Seq("list", self._listed(m, found[1] if found else None)))
                groups.append(group)
            elif type(item) is Seq and len(item.items) == 2:
                plain.append(item.items[1])
            else:
                plain.append(item)
        if plain or not groups:
            group = Dict({"params": ("params", Seq("list", plain)), **defaults})
            if len(args) > 1:
                group.items.setdefault("lr", ("lr", args[1]))
                if type(args[1]) is Dict:
                    group.items.update({k: v for k, v in args[1].items.items() if k not in group.items})
            groups.append(group)
        obj.attrs["param_groups"] = Seq("list", groups)
        self._claim(obj)
        obj.attrs["@fused"] = kwargs.get("fused") is True
        obj.attrs["state"] = Dict({}, Unknown("opaque"))
        obj.attrs["state"].default = m.external("builtins.dict")
        obj.attrs["defaults"] = Dict(dict(defaults))

    def _listed(self, m: Machine, value: V) -> list[V]:
        if value is None or type(value) is Unknown:
            return []
        if type(value) is Tensor:
            return [value]
        return _all(m, value)

    def tensors(self, obj: Obj) -> list[Tensor]:
        found: list[Tensor] = []
        groups = obj.attrs.get("param_groups")
        for group in groups.items if type(groups) is Seq else []:
            if type(group) is Dict and "params" in group.items:
                found.extend(operands_in([group.items["params"][1]]))
        return found

    def _claim(self, obj: Obj) -> None:
        for t in self.tensors(obj):
            if type(t.node) is Leaf:
                t.node.optimized = True

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "step":
            return self.step(m, obj, args, kwargs, site)
        if name == "zero_grad":
            keep = argument(args, kwargs, 0, "set_to_none", True) is False
            for t in self.tensors(obj):
                t.grad = Tensor() if keep and t.grad is not None else None
            return None
        if name == "add_param_group":
            group = argument(args, kwargs, 0, "param_group")
            if type(group) is Dict:
                found = group.items.get("params")
                group.items["params"] = ("params", Seq("list", self._listed(m, found[1] if found else None)))
                obj.attrs["param_groups"].items.append(group)
                self._claim(obj)
            return None
        if name in ("register_step_pre_hook", "register_step_post_hook"):
            hooks = obj.attrs.setdefault(HOOKS[name], Seq("list", []))
            hook = argument(args, kwargs, 0, "hook")
            hooks.items.append(hook)
            return hook_handle(hooks.items, hook)
        if name in ("state_dict", "load_state_dict", "train", "eval"):
            return Unknown("number")
        return MISSING

    def step(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        self._call_hooks(m, obj, "@before", args, kwargs, site)
        closure = argument(args, kwargs, 0, "closure")
        loss: V = None
        times = 1
        if closure is not None and type(closure) is not Unknown:
            times = 2 if self.many else 1
            mode, m.grad_mode = m.grad_mode, True
            try:
                for i in range(times):
                    loss = m.call(closure, [], {}, site)
                    if self.many and i + 1 < times:
                        self._move(m, obj, site)
            finally:
                m.grad_mode = mode
        self._move(m, obj, site)
        self._call_hooks(m, obj, "@after", args, kwargs, site)
        return loss

    def _call_hooks(self, m: Machine, obj: Obj, when: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        """What was registered to run before or after each step: `hook(optimizer, args, kwargs)`."""
        hooks = obj.attrs.get(when)
        if hooks is not None:
            named = Dict({key: (key, value) for key, value in kwargs.items()})
            for hook in list(hooks.items):
                m.call(hook, [obj, Seq("tuple", list(args)), named], {}, site)

    def _move(self, m: Machine, obj: Obj, site: ast.AST) -> None:
        fused = obj.attrs.get("@fused")
        m.record.step()
        for t in self.tensors(obj):
            if t.grad is None:
                continue
            if type(t.node) is Leaf:
                m.record.train(t.node, getattr(t.grad, "fed", ()))
            if fused:
                t.storage.silent += 1
                t.storage.silent_writer = site
                t.storage.written = m.seq
            else:
                m.bump(t.storage, site)


HOOKS = {"register_step_pre_hook": "@before", "register_step_post_hook": "@after"}
"""Where an optimizer keeps its hooks, by the method that registers them."""


class Inert(Native):
    """A helper whose methods do not concern the graph: schedulers, writers, meters of a library."""

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Unknown("number", name)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        return Unknown("number", name)


class GradScaler(Native):
    """`torch.amp.GradScaler`: `scale(loss)` is a product, `step(optimizer)` a step."""

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "scale":
            value = argument(args, kwargs, 0, "outputs")
            if type(value) is Seq:
                return Seq(value.kind, [perform(m, "mul", [t, Tensor()], site) for t in operands_in([value])])
            return perform(m, "mul", [value, Tensor()], site) if type(value) is Tensor else value
        if name == "step":
            return m.call_method(args[0], "step", args[1:], kwargs, site)
        if name in ("unscale_", "update", "state_dict", "load_state_dict"):
            return None
        if name in ("get_scale", "is_enabled"):
            return Unknown("number", name)
        return MISSING


class WeightAverage(Native):
    """`torch.optim.swa_utils.AveragedModel`: keeps detached copies."""

    def call(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Unknown("data")

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Unknown("number")


_NAMES = (
    "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam ASGD Rprop LBFGS SparseAdam Adafactor Muon Optimizer"
).split()
CLASSES: dict[str, Native] = {f"torch.optim.{n}": Optimizer(f"torch.optim.{n}") for n in _NAMES}
CLASSES["torch.optim.optimizer.Optimizer"] = CLASSES["torch.optim.Optimizer"]
for _n in _NAMES:
    CLASSES[f"torch.optim.{_n.lower()}.{_n}"] = CLASSES[f"torch.optim.{_n}"]
for _path in ("torch.amp.GradScaler", "torch.cuda.amp.GradScaler", "torch.GradScaler"):
    CLASSES[_path] = GradScaler()
CLASSES["torch.optim.swa_utils.AveragedModel"] = WeightAverage()
INERT = Inert()
