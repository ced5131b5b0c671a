"""`torch.nn`: modules, containers, layers, losses.

A layer is the operation it is: its inputs and parameters are operands of a measured entry of `layers.py`. A user's
module runs its own `forward`. Children and parameters are found by walking attributes, as PyTorch does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from secondpass.machine.autograd import node_of
from secondpass.machine.builtins import BUILTINS
from secondpass.machine.graph import Leaf, Node
from secondpass.machine.native import Native
from secondpass.machine.values import (
    MISSING,
    Dict,
    Function,
    Iter,
    Obj,
    Partial,
    Seq,
    Tensor,
    Unknown,
    V,
    Value,
    tensors_in,
)
from secondpass.pytorch.graph_values import hook_handle
from secondpass.pytorch.layer_facts import Layer, operation
from secondpass.pytorch.layers import LAYERS
from secondpass.pytorch.operands import OPAQUE, argument, as_tensor, flag, leaf, operands_in, parameter, perform, scalar
from secondpass.pytorch.registers import TABLES, entered, replace_table, table_of

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


def is_module(value: V) -> bool:
    return type(value) is Obj and isinstance(value.cls.native_base(), Module)


def children(obj: Obj) -> list[tuple[str, Obj]]:
    return [(k, v) for k, v in obj.attrs.items() if is_module(v)]


def modules(obj: Obj, seen: set[int] | None = None, prefix: str = "") -> list[tuple[str, Obj]]:
    """A module and all below it, each once, with dotted names."""
    seen = set() if seen is None else seen
    if id(obj) in seen:
        return []
    seen.add(id(obj))
    found = [(prefix, obj)]
    for name, child in children(obj):
        found.extend(modules(child, seen, f"{prefix}.{name}" if prefix else name))
    return found


def parameters(obj: Obj, recurse: bool = True) -> list[tuple[str, Tensor]]:
    """Every parameter of a module, each once, with dotted names."""
    found: dict[int, tuple[str, Tensor]] = {}
    for prefix, module in modules(obj) if recurse else [("", obj)]:
        own = module.attrs.get("@_parameters", ())
        for name, value in module.attrs.items():
            if type(value) is Tensor and (value.parameter or name in own) and id(value) not in found:
                found[id(value)] = (f"{prefix}.{name}" if prefix else name, value)
    return list(found.values())


def buffers(obj: Obj) -> list[tuple[str, Tensor]]:
    found = []
    for prefix, module in modules(obj):
        for name in module.attrs.get("@_buffers", ()):
            value = module.attrs.get(name)
            if type(value) is Tensor:
                found.append((f"{prefix}.{name}" if prefix else name, value))
    return found


def _pairs(items: list[tuple[str, V]]) -> Seq:
    return Seq("list", [Seq("tuple", [k, v]) for k, v in items])


OF_ITSELF: dict[str, Callable[[V], bool]] = {
    "_parameters": lambda value: type(value) is Tensor and value.parameter,
    "_buffers": lambda value: False,
    "_modules": is_module,
}
"""What is registered in a table by being an attribute."""
METHODS = frozenset(
    (
        "parameters named_parameters buffers named_buffers children named_children modules named_modules "
        "train eval to cuda cpu float double half bfloat16 type zero_grad requires_grad_ state_dict "
        "load_state_dict register_buffer register_parameter register_forward_hook register_forward_pre_hook "
        "register_full_backward_hook register_backward_hook add_module register_module apply get_parameter "
        "get_submodule share_memory extra_repr compile forward __call__ append extend insert keys values "
        "items update pop flatten_parameters reset_parameters _apply set_submodule log log_dict"
    ).split()
)


class Module(Native):
    """`nn.Module`, and every class that derives from it."""

    name = "torch.nn.Module"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs.setdefault("training", True)

    def has_method(self, name: str) -> bool:
        return name in METHODS

    def call(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if not obj.compiled:
            return self.run(m, obj, args, kwargs, site)
        m.compiling.append(obj)
        try:
            return self.run(m, obj, args, kwargs, site)
        finally:
            m.compiling.pop()

    def run(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        hooks = obj.attrs.get("@pre_hooks")
        for hook in list(hooks or ()):
            changed = m.call(hook, [obj, Seq("tuple", args)], {}, site)
            if changed is not None and type(changed) is not Unknown:
                args = list(changed.items) if type(changed) is Seq else [changed]
        override = obj.attrs.get("forward", MISSING)
        forward = obj.cls.lookup("forward")
        if override is not MISSING:
            result = m.call(override, args, kwargs, site)
        elif type(forward) is Function:
            result = m.call(forward, [obj, *args], kwargs, site)
        else:
            result = self.forward(m, obj, args, kwargs, site)
        hooks = obj.attrs.get("@hooks")
        for hook in list(hooks or ()):
            changed = m.call(hook, [obj, Seq("tuple", args), result], {}, site)
            if changed is not None and type(changed) is not Unknown:
                result = changed
        for hook in list(obj.attrs.get("@backward_hooks") or ()):
            for t in tensors_in(result):
                if type(t.node) is Node:
                    t.node.hooks = [*(t.node.hooks or ()), Partial(hook, [obj, Unknown("data")], {})]
                    t.node.eventful = True
        return result

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        """What a module without a visible `forward` does: anything."""
        return Unknown("opaque", obj.cls.name)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name == "training":
            return True
        computed = obj.attrs.get("@computed")
        if computed is not None and name in computed:
            return perform(m, "parametrized", [computed[name]], site, OPAQUE)
        if name in TABLES:
            return table_of(obj, name, OF_ITSELF[name])
        return MISSING

    def store(self, m: Machine, obj: Obj, name: str, value: V, site: ast.AST) -> bool:
        if type(value) is Obj and value.cls.unresolved:
            # A library's class that is not seen, made a part of a module: a layer, as far as anyone can tell.
            value.attrs["@layer"] = True
        if name in TABLES and type(value) is Dict:
            replace_table(obj, name, OF_ITSELF[name], value)
            return True
        if type(value) is Tensor and name in obj.attrs.get("@_buffers", ()) and value.parameter:
            del obj.attrs["@_buffers"][name]
        return False

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        run = getattr(self, f"do_{name}", None)
        if run is not None:
            return run(m, obj, args, kwargs, site)
        if name in (
            "to",
            "cuda",
            "cpu",
            "float",
            "double",
            "half",
            "bfloat16",
            "type",
            "share_memory",
            "_apply",
            "to_empty",
            "xpu",
            "mps",
        ):
            return obj
        if name in (
            "extra_repr",
            "flatten_parameters",
            "reset_parameters",
            "compile",
            "log",
            "log_dict",
            "gradient_checkpointing_enable",
        ):
            return None
        if name == "forward":
            return self.forward(m, obj, args, kwargs, site)
        if name == "__call__":
            return self.call(m, obj, args, kwargs, site)
        return MISSING

    def do_parameters(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        recurse = argument(args, kwargs, 0, "recurse", True) is not False
        return Iter(iter([t for _, t in parameters(obj, recurse)]))

    def do_named_parameters(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter(_pairs(list(parameters(obj))).items))

    def do_buffers(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter([t for _, t in buffers(obj)]))

    def do_named_buffers(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter(_pairs(list(buffers(obj))).items))

    def do_children(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter([c for _, c in children(obj)]))

    def do_named_children(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter(_pairs(list(children(obj))).items))

    def do_modules(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter([x for _, x in modules(obj)]))

    def do_named_modules(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Iter(iter(_pairs(list(modules(obj))).items))

    def do_train(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        mode = flag(m, argument(args, kwargs, 0, "mode", True), site, True)
        for _, module in modules(obj):
            module.attrs["training"] = mode
        return obj

    def do_eval(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if type(obj.cls.lookup("train")) is Function:
            m.call_method(obj, "train", [False], {}, site)
            return obj
        for _, module in modules(obj):
            module.attrs["training"] = False
        return obj

    def do_zero_grad(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        keep = argument(args, kwargs, 0, "set_to_none", True) is False
        for _, t in parameters(obj):
            t.grad = Tensor() if keep and t.grad is not None else None
        return None

    def do_requires_grad_(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        wanted = flag(m, argument(args, kwargs, 0, "requires_grad", True), site, True)
        for _, t in parameters(obj):
            if wanted:
                leaf(m, t)
            elif type(t.node) is Leaf:
                t.node = None
        return obj

    def do_state_dict(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        keep = kwargs.get("keep_vars") is True
        items: dict[Any, tuple[V, V]] = {}
        for name, t in [*parameters(obj), *buffers(obj)]:
            items[name] = (name, t if keep else Tensor(None, t.storage, t.shape))
        return Dict(items)

    def do_load_state_dict(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for _, t in [*parameters(obj), *buffers(obj)]:
            m.bump(t.storage, site)
        return Unknown("number")

    def do_register_buffer(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        name, value = args[0], argument(args, kwargs, 1, "tensor")
        if isinstance(name, str):
            obj.attrs.setdefault("@_buffers", {})[name] = True
            obj.attrs[name] = value
        return None

    def do_register_parameter(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if isinstance(args[0], str):
            obj.attrs[args[0]] = argument(args, kwargs, 1, "param")
        return None

    def do_add_module(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        name = argument(args, kwargs, 0, "name")
        key = name if isinstance(name, str) else f"child {len(obj.attrs)}"
        entered(obj, "_modules")[key] = True
        obj.attrs[key] = argument(args, kwargs, 1, "module")
        return None

    do_register_module = do_add_module

    def do_register_forward_hook(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        hooks = obj.attrs.setdefault("@hooks", [])
        hooks.append(args[0])
        return hook_handle(hooks, args[0])

    def do_register_forward_pre_hook(
        self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST
    ) -> V:
        hooks = obj.attrs.setdefault("@pre_hooks", [])
        hooks.append(args[0])
        return hook_handle(hooks, args[0])

    def do_register_full_backward_hook(
        self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST
    ) -> V:
        hooks = obj.attrs.setdefault("@backward_hooks", [])
        hooks.append(args[0])
        return hook_handle(hooks, args[0])

    do_register_backward_hook = do_register_full_backward_hook
    do_register_full_backward_pre_hook = do_register_full_backward_hook
    do_register_state_dict_pre_hook = do_register_full_backward_hook

    def do_apply(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for _, module in reversed(modules(obj)):
            m.call(args[0], [module], {}, site)
        return obj

    def do_get_submodule(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return dict(modules(obj)).get(args[0], Unknown()) if isinstance(args[0], str) else Unknown()

    def do_get_parameter(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return dict(parameters(obj)).get(args[0], Unknown()) if isinstance(args[0], str) else Unknown()

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return None


CONFIGURED = frozenset(
    (
        "eps momentum num_features affine track_running_stats normalized_shape kernel_size stride padding "
        "dilation groups padding_mode in_channels out_channels in_features out_features negative_slope "
        "inplace dim reduction dropout scale_factor output_size ignore_index label_smoothing head_dim "
        "batch_first padding_idx max_norm p num_heads embed_dim num_embeddings embedding_dim"
    ).split()
)
"""Attributes in which a layer keeps its constructor's arguments."""


class LayerModule(Module):
    """A layer of the measured table."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"torch.nn.{kind}"

    def variant(self, m: Machine, obj: Obj, args: list[V]) -> str:
        """The entry of the table for this instance, mode and input."""
        kind = self.kind
        if obj.attrs.get("training") is False and f"{kind}.eval" in LAYERS:
            return f"{kind}.eval"
        if "Dropout" in kind and obj.attrs.get("@p") == 0 and f"{kind}.zero" in LAYERS:
            return f"{kind}.zero"
        if "Dropout" in kind and obj.attrs.get("@p") == 0:
            return "Identity"
        if obj.attrs.get("@inplace") and f"{kind}.inplace" in LAYERS:
            return f"{kind}.inplace"
        if obj.attrs.get("@plain") and f"{kind}.plain" in LAYERS:
            return f"{kind}.plain"
        return kind

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        attrs = obj.attrs
        fact = LAYERS.get(self.kind)
        if "Dropout" in self.kind:
            attrs["@p"] = attrs["p"] = scalar(argument(args, kwargs, 0, "p", 0.5))
        attrs["@inplace"] = kwargs.get("inplace") is True
        plain = kwargs.get("elementwise_affine") is False or kwargs.get("affine") is False
        if self.kind.startswith("InstanceNorm") and kwargs.get("affine") is not True:
            plain = False
            fact = LAYERS.get(self.kind)
        attrs["@plain"] = plain
        no_bias = kwargs.get("bias") is False or (self.kind == "Linear" and len(args) > 2 and args[2] is False)
        for name in fact.parameters if fact is not None else ("weight",):
            if plain or (no_bias and "bias" in name):
                attrs[name] = None
            else:
                attrs[name] = parameter(m)
        for name in fact.buffers if fact is not None else ():
            attrs.setdefault("@_buffers", {})[name] = True
            attrs[name] = Tensor()
        self.remember(obj, args, kwargs)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in CONFIGURED:
            return obj.attrs.setdefault(name, Unknown("number", name))
        return super().attribute(m, obj, name, site)

    NAMES: ClassVar[dict[str, tuple[str, ...]]] = {
        "Linear": ("in_features", "out_features"),
        "Embedding": ("num_embeddings", "embedding_dim"),
        "Bilinear": ("in1_features", "in2_features", "out_features"),
        "MultiheadAttention": ("embed_dim", "num_heads"),
    }

    def remember(self, obj: Obj, args: list[V], kwargs: dict[str, V]) -> None:
        """Keep the constructor's sizes, which programs read back (`layer.out_features`)."""
        kind = self.kind
        names = self.NAMES.get(kind, ())
        if not names and kind.startswith("Conv"):
            names = ("in_channels", "out_channels", "kernel_size", "stride", "padding")
        for i, name in enumerate(names):
            obj.attrs.setdefault(name, argument(args, kwargs, i, name, Unknown("number", name)))

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        variant = self.variant(m, obj, args)
        fact = LAYERS.get(variant)
        given = [
            *args,
            *(v for k, v in kwargs.items() if k in ("input", "x", "target", "query", "key", "value", "tgt", "src")),
        ]
        inputs = operands_in(given)
        if fact is None:
            own = [t for _, t in parameters(obj)]
            return perform(m, self.kind, inputs + own, site, OPAQUE)
        if self.kind in ("TransformerEncoder", "TransformerDecoder", "Transformer"):
            own = [t for _, t in parameters(obj)]
            return perform(m, self.kind, [*inputs, *own], site, OPAQUE)
        return perform(m, self.kind, self.operands(m, obj, fact, inputs, site), site, operation(fact))

    def operands(self, m: Machine, obj: Obj, fact: Layer, inputs: list[Tensor], site: ast.AST) -> list[Tensor]:
        attrs = obj.attrs
        found = inputs[: fact.inputs]
        while len(found) < fact.inputs:
            found.append(Tensor())
        for name in (*fact.parameters, *fact.buffers):
            value = attrs.get(name)
            if value is None and name in attrs.get("@computed", ()):
                value = self.attribute(m, obj, name, site)
            found.append(value if type(value) is Tensor else as_tensor(value) or Tensor())
        return found


class Sequential(Module):
    """`nn.Sequential`."""

    name = "torch.nn.Sequential"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        if len(args) == 1 and type(args[0]) is Dict:
            for key, value in args[0].items.values():
                obj.attrs[str(key)] = value
            return
        for i, part in enumerate(args):
            obj.attrs[str(i)] = part

    def parts(self, obj: Obj) -> list[V]:
        return [obj.attrs[k] for k in self.names(obj)]

    def names(self, obj: Obj) -> list[str]:
        """The names of the parts, in order: most are numbers."""
        own = obj.attrs.get("@_modules", ())
        return [k for k, v in obj.attrs.items() if k.isdigit() or is_module(v) or k in own]

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        value = args[0] if args else Unknown()
        for part in self.parts(obj):
            value = m.call(part, [value], {}, site)
        return value

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return iter(self.parts(obj))

    def length(self, m: Machine, obj: Obj) -> V:
        if type(obj.cls.lookup("__len__")) is Function:
            return MISSING
        return len(self.parts(obj))

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        parts = self.parts(obj)
        if isinstance(index, int) and -len(parts) <= index < len(parts):
            return parts[index]
        if isinstance(index, slice):
            made = Obj(obj.cls)
            made.attrs["training"] = True
            for i, part in enumerate(parts[index]):
                made.attrs[str(i)] = part
            return made
        return parts[0] if parts else Unknown("opaque")

    def set_item(self, m: Machine, obj: Obj, index: V, value: V, site: ast.AST) -> bool:
        keys = self.names(obj)
        if isinstance(index, int) and -len(keys) <= index < len(keys):
            obj.attrs[keys[index]] = value
        elif isinstance(index, str):
            obj.attrs[index] = value
        return True

    def do_append(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        n = len(self.parts(obj))
        obj.attrs[str(n)] = args[0]
        return obj

    def do_extend(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for part in m.collect(args[0])[0]:
            self.do_append(m, obj, [part], {}, site)
        return obj

    def do_insert(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return self.do_append(m, obj, args[1:], kwargs, site)


class ModuleList(Sequential):
    """`nn.ModuleList` and `nn.ParameterList`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        Module.init(self, m, obj, args, kwargs, site)
        source = argument(args, kwargs, 0, "modules", argument([], kwargs, 0, "parameters"))
        if source is not None:
            for i, part in enumerate(_first(m.iterate(source), 24)):
                if type(part) is Tensor and self.name.endswith("ParameterList"):
                    part = as_parameter(m, part)
                obj.attrs[str(i)] = part

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Unknown()


class ModuleDict(Module):
    """`nn.ModuleDict` and `nn.ParameterDict`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        obj.attrs["@names"] = []
        if args and type(args[0]) is Dict:
            for key, value in args[0].items.values():
                self.set_item(m, obj, key, value, site)

    def pairs(self, obj: Obj) -> list[tuple[str, V]]:
        return [(k, obj.attrs[k]) for k in obj.attrs["@names"] if k in obj.attrs]

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return iter([k for k, _ in self.pairs(obj)])

    def length(self, m: Machine, obj: Obj) -> V:
        return len(self.pairs(obj))

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        if isinstance(index, str) and index in obj.attrs:
            return obj.attrs[index]
        pairs = self.pairs(obj)
        return pairs[0][1] if pairs and isinstance(index, Value) else Unknown()

    def set_item(self, m: Machine, obj: Obj, index: V, value: V, site: ast.AST) -> bool:
        if isinstance(index, str):
            if index not in obj.attrs["@names"]:
                obj.attrs["@names"].append(index)
            if type(value) is Tensor and self.name.endswith("ParameterDict"):
                value = as_parameter(m, value)
            obj.attrs[index] = value
        return True

    def do_add_module(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        self.set_item(m, obj, argument(args, kwargs, 0, "name"), argument(args, kwargs, 1, "module"), site)
        return None

    do_register_module = do_add_module

    def do_update(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        given = m.call(BUILTINS["dict"], args, kwargs, site)
        for key, value in given.items.values():
            self.set_item(m, obj, key, value, site)
        return None

    def do_pop(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        found = self.get_item(m, obj, args[0], site)
        if args[0] in obj.attrs["@names"]:
            obj.attrs["@names"].remove(args[0])
            del obj.attrs[args[0]]
        return found

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name == "@keys":
            return Seq("list", [k for k, _ in self.pairs(obj)])
        return super().attribute(m, obj, name, site)

    def do_items(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return _pairs(self.pairs(obj))

    def do_keys(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Seq("list", [k for k, _ in self.pairs(obj)])

    def do_values(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Seq("list", [v for _, v in self.pairs(obj)])


def _first(source: Any, most: int) -> list[V]:
    out = []
    for item in source:
        out.append(item)
        if len(out) >= most:
            break
    return out


def as_parameter(m: Machine, t: Tensor, requires: bool = True) -> Tensor:
    """`nn.Parameter(t)`: a new leaf over the same memory."""
    made = Tensor(None, t.storage if node_of(m, t) is not None or t.parameter else None, t.shape)
    made.parameter = True
    if requires:
        leaf(m, made)
    return made


class Attention(LayerModule):
    """`nn.MultiheadAttention`: query, key and value may be one tensor or three."""

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        inputs = operands_in([*args[:3], *(kwargs[k] for k in ("query", "key", "value") if k in kwargs)])
        own = [t for _, t in parameters(obj)]
        first = perform(m, self.kind, [*inputs, *own], site, OPAQUE)
        return Seq("tuple", [first, Tensor(first.node)])


LOSSES_AND_LAYERS: dict[str, Native] = {}
for _key in LAYERS:
    _kind = _key.split(".")[0]
    if _kind not in ("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"):
        LOSSES_AND_LAYERS.setdefault(
            f"torch.nn.{_kind}", Attention(_kind) if _kind == "MultiheadAttention" else LayerModule(_kind)
        )
CLASSES: dict[str, Native] = {
    **LOSSES_AND_LAYERS,
    "torch.nn.Module": Module(),
    "torch.nn.Sequential": Sequential(),
    "torch.nn.ModuleList": ModuleList("torch.nn.ModuleList"),
    "torch.nn.ParameterList": ModuleList("torch.nn.ParameterList"),
    "torch.nn.ModuleDict": ModuleDict("torch.nn.ModuleDict"),
    "torch.nn.ParameterDict": ModuleDict("torch.nn.ParameterDict"),
}
