"""PyTorch as the machine's library: what a dotted name is, what calling it does.

Names are resolved by path: a function written out (functions.py), a class with a native (modules, optimizers, ...), an
operation of the measured table, or unknown. What is not PyTorch goes to Python's standard library, else to `escaped`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine import commandline, settings, standard
from secondpass.machine.graph import Node, Walk
from secondpass.machine.native import Native
from secondpass.machine.values import (
    MISSING,
    Builtin,
    Class,
    External,
    Function,
    Obj,
    Partial,
    Tensor,
    Unknown,
    V,
)
from secondpass.pytorch import (
    accelerators,
    backward,
    data,
    distributions,
    frameworks,
    functions,
    gaussian,
    ignite,
    modes,
    modules,
    optimizers,
    ready_made,
    recurrent,
    spiking,
    tensors,
    trainers,
    unseen,
)
from secondpass.pytorch.operands import operands_in
from secondpass.pytorch.operations import OPERATIONS

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

CLASSES: dict[str, Native] = {
    **modes.CLASSES,
    **modules.CLASSES,
    **recurrent.CLASSES,
    **optimizers.CLASSES,
    **distributions.CLASSES,
    **data.CLASSES,
    **spiking.CLASSES,
    **ignite.CLASSES,
    **accelerators.CLASSES,
    **trainers.CLASSES,
    "torch.autograd.Function": backward.AutogradFunction(),
    "torch.autograd.function.Function": backward.AutogradFunction(),
}
RENAMED = {
    "torch.nn.functional.": "torch.nn.functional.",
    "torch.nn.modules.module.": "torch.nn.",
    "torch.nn.modules.": "torch.nn.",
    "torch.functional.": "torch.",
}
SOME = {
    "torch.optim": "torch.optim.SGD",
    "torch.optim.lr_scheduler": "torch.optim.lr_scheduler.StepLR",
    "torchvision.models": "torchvision.models.resnet18",
}
"""What stands for any function or class of a library's module: an optimizer that changes what it is given."""
TENSOR_PATHS = ("torch.Tensor", "torch.autograd.Variable", "torch.FloatTensor", "torch.LongTensor")


class PyTorch:
    """The `Library` of the machine."""

    def attribute(self, m: Machine, external: External, name: str) -> V:
        own = external.attrs.get(name, MISSING)
        if own is not MISSING:
            return own
        path = f"{external.path}.{name}"
        constant = standard.CONSTANTS.get(path, MISSING)
        if constant is not MISSING:
            value: V = constant
        elif path in ("torch.F", "torch.nn.F"):
            value = m.external("torch.nn.functional")
        else:
            value = m.external(path)
        external.attrs[name] = value
        return value

    def native(self, path: str) -> Native | None:
        found = CLASSES.get(path)
        if found is None and path.startswith("torch.nn.modules."):
            found = CLASSES.get("torch.nn." + path.rsplit(".", 1)[-1])
        return found or ready_made.native(path) or gaussian.native(path)

    def as_class(self, m: Machine, external: External | Builtin) -> Class:
        """The class behind a name, for `class X(name)` and `name(...)`: one for the whole run."""
        path = external.path if isinstance(external, External) else external.name
        known: dict[str, Class] = m.state.setdefault("classes", {})
        found = known.get(path)
        if found is not None:
            return found
        native = self.native(path)
        if native is None:
            native = standard.NATIVES.get(path)
        made = Class(path.rsplit(".", 1)[-1], [], {}, native)
        made.unresolved = native is None and path not in standard.PLAIN_BASES and isinstance(external, External)
        if isinstance(external, Builtin):
            made.unresolved = path in ("str", "int", "float")
        known[path] = made
        return made

    def call(self, m: Machine, external: External, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        path = external.path
        if path.startswith("ignite.engine.Events."):
            return Partial(external, [], dict(kwargs))
        run = (
            functions.FUNCTIONS.get(path)
            or spiking.FUNCTIONS.get(path)
            or standard.FUNCTIONS.get(path)
            or accelerators.FUNCTIONS.get(path)
            or ignite.FUNCTIONS.get(path)
        )
        if run is not None:
            return run(m, args, kwargs, site)
        if self.native(path) is not None or path in standard.NATIVES:
            return m.call(self.as_class(m, external), args, kwargs, site)
        model = ready_made.make(m, path, site)
        if model is not None:
            return model
        root = path.split(".", 1)[0]
        if root == "torch":
            return self._torch(m, path, args, kwargs, site)
        if root in standard.HARMLESS:
            if root in standard.PASSES_THROUGH and args:
                return args[0]
            if root in commandline.CONFIGURES:
                return settings.foreign(path)
            return Unknown("number" if root in standard.NUMBERS else "data", path)
        return self.escaped(m, external, args, kwargs, site)

    def _torch(self, m: Machine, path: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        name = path.rsplit(".", 1)[-1]
        if path.startswith("torch.nn.init."):
            return functions.initialise(m, args, kwargs, site)
        if path.startswith("torch.optim.lr_scheduler."):
            return Obj(Class(name, [], {}, optimizers.INERT))
        if path.startswith("torch.Tensor.") and args and type(args[0]) is Tensor:
            return tensors.call_method(m, args[0], name, args[1:], kwargs, site)
        for key in (path.removeprefix("torch."), path.removeprefix("torch.nn.functional."), name):
            if key in OPERATIONS:
                return tensors.operation(m, key, args, kwargs, site)
        if f"torch.{name}" in functions.FUNCTIONS and path.count(".") <= 3:
            return functions.FUNCTIONS[f"torch.{name}"](m, args, kwargs, site)
        if path.startswith(
            (
                "torch.utils.tensorboard",
                "torch.profiler",
                "torch.distributed",
                "torch.multiprocessing",
                "torch.cuda",
                "torch.backends",
            )
        ):
            return Obj(Class(name, [], {}, optimizers.INERT))
        if not any(t.node is not None for t in operands_in([*args, *kwargs.values()])):
            return Unknown("data", path)
        return Unknown("opaque", path)

    def escaped(self, m: Machine, callee: V, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        """A call that the machine cannot see into. It may cut, keep or walk anything it is given: history unknown."""
        return frameworks.escaped(m, callee, args, kwargs, site)

    def some(self, m: Machine, external: External) -> V:
        """`getattr(nn, name)` where the name is not known: some layer, some optimizer, some model."""
        if external.path == "torch.nn":
            return Builtin("layer", lambda m, args, kwargs, site: ready_made.some_layer(m, site))
        return m.external(SOME[external.path]) if external.path in SOME else Unknown("opaque")

    def derived(self, cls: Class) -> None:
        """A class was made. One that derives from a library's class that is not seen, and has a `forward`, is a module:
        what it defines itself runs as it stands."""
        if cls.unresolved and cls.native_base() is None and type(cls.lookup("forward")) is Function:
            cls.native = modules.CLASSES["torch.nn.Module"]

    def part(self, m: Machine, value: Unknown, name: str) -> V:
        """An attribute of something that is not seen, where more is known of it than that it is there."""
        return unseen.part(m, value, name)

    def drive(self, m: Machine, obj: Obj, fn: Function, site: ast.AST) -> bool:
        """Run a method in the loop in which its framework calls it; False if none does."""
        return frameworks.drive(m, obj, fn, site)

    def train(self, m: Machine, obj: Obj, fn: Function, site: ast.AST) -> None:
        """Call a module and walk what it returns, a few times in a row."""
        frameworks.train(m, obj, fn, site)

    def is_instance(self, m: Machine, value: V, kind: External) -> bool | None:
        path = kind.path
        if path in TENSOR_PATHS:
            return type(value) is Tensor
        if path in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return type(value) is Tensor and value.parameter
        if type(value) is Obj:
            wanted = self.native(path)
            if wanted is None:
                return None if value.cls.unresolved else any(c.name == path.rsplit(".", 1)[-1] for c in value.cls.mro)
            if path == "torch.nn.Module":
                return modules.is_module(value)
            if isinstance(wanted, optimizers.Optimizer):
                return isinstance(value.cls.native_base(), optimizers.Optimizer)
            return value.cls.native_base() is wanted
        if type(value) is External:
            return None
        return False

    tensor_method = staticmethod(tensors.call_method)
    tensor_attribute = staticmethod(tensors.get_attribute)
    set_tensor_attribute = staticmethod(tensors.set_attribute)
    binary = staticmethod(tensors.binary)
    unary = staticmethod(tensors.unary)
    compare = staticmethod(tensors.compare)
    get_item = staticmethod(tensors.get_item)
    set_item = staticmethod(tensors.set_item)
    tensor_rows = staticmethod(tensors.rows)

    def run_function_backward(self, m: Machine, node: Node, walk: Walk) -> None:
        backward.run_function_backward(m, node, walk)

    def enter(self, m: Machine, manager: V, site: ast.AST) -> V:
        if type(manager) is External and self.native(manager.path) is not None:
            # `with torch.no_grad:` without the call does nothing useful; `@torch.no_grad` on a function does.
            return m.enter(m.call(manager, [], {}, site), site)
        if type(manager) is Obj:
            return m.enter(manager, site)
        return Unknown() if type(manager) in (Unknown, External) else manager

    def leave(self, m: Machine, manager: V, site: ast.AST) -> None:
        if type(manager) is Obj:
            m.leave(manager, site)
