"""What switches recording off and on: `no_grad`, `inference_mode`, `enable_grad`, `set_grad_enabled`.

Each can stand in a `with`, above a function, and (set_grad_enabled) as a bare call.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Class, Function, Obj, V
from secondpass.pytorch.operands import argument, flag

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


class GradMode(Native):
    """A context manager and decorator that sets grad mode."""

    def __init__(self, enabled: bool | None) -> None:
        self.enabled = enabled

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["@before"] = []
        if self.enabled is None:
            obj.attrs["@mode"] = flag(m, argument(args, kwargs, 0, "mode", True), site, True)
            obj.attrs["@before"].append(m.grad_mode)
            m.grad_mode = obj.attrs["@mode"]
        else:
            obj.attrs["@mode"] = self.enabled

    def make(self, m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if args and type(args[0]) is Function:
            return self._wrap(_manager(cls), args[0])
        if cls.name == "inference_mode" and (args or kwargs):
            obj = _manager(cls)
            on = flag(m, argument(args, kwargs, 0, "mode", True), site, True)
            obj.attrs["@mode"] = False if on else m.grad_mode
            return obj
        return MISSING

    def _wrap(self, manager: Obj, fn: Function) -> Function:
        made = Function(fn.node, fn.name)
        for slot in Function.__slots__:
            setattr(made, slot, getattr(fn, slot))
        made.wrappers = [*fn.wrappers, manager]
        return made

    def call(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if args and type(args[0]) is Function:
            if self.enabled is None and obj.attrs["@before"]:
                m.grad_mode = obj.attrs["@before"].pop()
            return self._wrap(obj, args[0])
        return args[0] if args else obj

    def enter(self, m: Machine, obj: Obj, site: ast.AST) -> V:
        before = obj.attrs["@before"]
        if self.enabled is None and len(before) == 1 and not obj.attrs.get("@entered"):
            obj.attrs["@entered"] = True
        else:
            before.append(m.grad_mode)
        m.grad_mode = obj.attrs["@mode"]
        return None

    def leave(self, m: Machine, obj: Obj, site: ast.AST) -> None:
        before = obj.attrs["@before"]
        if before:
            m.grad_mode = before.pop()

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "__enter__":
            return self.enter(m, obj, site)
        if name == "__exit__":
            self.leave(m, obj, site)
            return None
        return MISSING


def _manager(cls: Class) -> Obj:
    obj = Obj(cls)
    obj.attrs["@before"] = []
    obj.attrs["@mode"] = False
    native = cls.native_base()
    if native.enabled is not None:
        obj.attrs["@mode"] = native.enabled
    return obj


class Harmless(Native):
    """A context that does not concern the graph: autocast, profilers, timers; also usable as a decorator."""

    def call(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return args[0] if args else None

    def make(self, m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return args[0] if args and type(args[0]) is Function else MISSING


CLASSES: dict[str, Native] = {
    "torch.no_grad": GradMode(False),
    "torch.inference_mode": GradMode(False),
    "torch.enable_grad": GradMode(True),
    "torch.set_grad_enabled": GradMode(None),
    "torch.autocast": Harmless(),
    "torch.autograd.set_detect_anomaly": Harmless(),
    "torch.autograd.detect_anomaly": Harmless(),
    "torch.profiler.profile": Harmless(),
    "torch.random.fork_rng": Harmless(),
    "torch.nn.utils.parametrize.cached": Harmless(),
    "torch.backends.cudnn.flags": Harmless(),
}
CLASSES["torch.autograd.no_grad"] = CLASSES["torch.autograd.grad_mode.no_grad"] = CLASSES["torch.no_grad"]
CLASSES["torch.autograd.enable_grad"] = CLASSES["torch.enable_grad"]
CLASSES["torch.autograd.grad_mode.set_grad_enabled"] = CLASSES["torch.set_grad_enabled"]
for _name in ("torch.cuda.amp.autocast", "torch.amp.autocast", "torch.cpu.amp.autocast"):
    CLASSES[_name] = CLASSES["torch.autocast"]
