"""Modules that come ready made from libraries: graph layers, vision and language models.

Their inside is not looked at. They have trainable parameters (one leaf stands for all), and what they return depends on
those and on every tensor they are given; freezing them works as for any module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from secondpass.machine.autograd import node_of
from secondpass.machine.graph import Node
from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Class, Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch.modules import Module
from secondpass.pytorch.operands import OPAQUE, operands_in, parameter, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

LAYERS = re.compile(
    r"^(?:torch_geometric(?:_temporal)?\.nn|dgl\.nn|torchvision\.ops|timm\.layers)\.(?:\w+\.)*[A-Z]\w*$"
)
"""Classes of layers: what they return is a tensor."""
MODELS = re.compile(
    r"^(?:torchvision\.models\.(?:\w+\.)*[a-z]\w*|timm\.create_model|segmentation_models_pytorch\.\w+"
    r"|transformers\.(?:Auto\w+|\w+Model|\w+For\w+)(?:\.from_(?:pretrained|config))?)$"
)
"""Functions that return a whole model: what it returns may hold its tensors in any way."""


class ReadyMade(Module):
    """A module whose inside is not seen. `tensor` says that it returns one tensor."""

    def __init__(self, tensor: bool) -> None:
        self.tensor = tensor
        self.name = "ready-made module"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        obj.attrs["weight"] = parameter(m)

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        operands = [*operands_in([*args, *kwargs.values()]), obj.attrs["weight"]]
        made = perform(m, obj.cls.name, operands, site, OPAQUE)
        if self.tensor:
            return made
        node = node_of(m, made)
        found = Unknown("data" if node is None else "opaque", obj.cls.name)
        found.history = node if type(node) is Node else None
        return found

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        own = super().attribute(m, obj, name, site)
        if own is not MISSING or self.tensor or name[0] in "_@":
            return own
        if name in ("config", "dtype", "device", "num_features", "hparams"):
            return Unknown("number", name)
        # A part of the model is a module over the same parameters.
        part = Obj(obj.cls)
        part.attrs = {"training": True, "weight": obj.attrs["weight"]}
        obj.attrs[name] = part
        return part

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return iter([self._layer(m, obj, number) for number in range(LAYERS_OF_A_PART)])

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        return obj if isinstance(index, slice) else self._layer(m, obj, index)

    def _layer(self, m: Machine, obj: Obj, index: V) -> V:
        """One layer of a model, taken by its number: a module over the same parameters that gives a tensor."""
        layers = obj.attrs.setdefault("@layers", {})
        key = index if isinstance(index, (int, str)) else "?"
        if key not in layers:
            layers[key] = Obj(Class(obj.cls.name, [], {}, LAYER))
            layers[key].attrs = {"training": True, "weight": obj.attrs["weight"]}
        return layers[key]

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name in ("children", "modules"):
            return Seq("list", list(self.iterate(m, obj, site) or ()), True)
        if name in ("named_children", "named_modules"):
            layers = list(self.iterate(m, obj, site) or ())
            return Seq("list", [Seq("tuple", [Unknown("number", "name"), one]) for one in layers], True)
        return super().method(m, obj, name, args, kwargs, site)


LAYERS_OF_A_PART = 6
"""As many layers a part of a model is taken to have: which of them there are is not known."""


class CachedEdges(ReadyMade):
    """A graph layer that may keep the normalised edges of its first call (`cached=True`), with the weights' history."""

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        obj.attrs["@cached"] = kwargs.get("cached") is True

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        kept = obj.attrs.get("@edges")
        if kept is None:
            weights = operands_in([*args[2:3], *([kwargs["edge_weight"]] if "edge_weight" in kwargs else [])])
            kept = perform(m, "gcn_norm", weights, site, OPAQUE) if weights else Tensor()
            if obj.attrs["@cached"]:
                obj.attrs["@edges"] = kept
                m.hold(kept, "attribute", site)
        operands = [*operands_in([args[0] if args else kwargs.get("x")]), kept, obj.attrs["weight"]]
        return perform(m, obj.cls.name, operands, site, OPAQUE)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "reset_parameters":
            obj.attrs.pop("@edges", None)
        return super().method(m, obj, name, args, kwargs, site)


class SomeLayer(ReadyMade):
    """A layer of `torch.nn` whose name is not known: it may have no parameters, so what hangs on them says so."""

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        made = super().forward(m, obj, args, kwargs, site)
        if type(made) is Unknown and made.history is not None:
            made.history.assumed = made.history.assumed or "the layer has parameters"
        return made


CACHED = re.compile(r"^torch_geometric\.nn\.(?:\w+\.)*(?:(?:GCN|GCN2|FA|EG|DNA)Conv|APPNP)$")
LAYER, MODEL, CACHED_LAYER, SOME_LAYER = ReadyMade(True), ReadyMade(False), CachedEdges(True), SomeLayer(False)


def native(path: str) -> Native | None:
    """The behaviour of a class of layers by its path."""
    if CACHED.match(path):
        return CACHED_LAYER
    return LAYER if LAYERS.match(path) else None


def some_layer(m: Machine, site: ast.AST) -> Obj:
    """An instance of `getattr(nn, name)` where the name is not known."""
    obj = Obj(Class("layer", [], {}, SOME_LAYER))
    SOME_LAYER.init(m, obj, [], {}, site)
    return obj


def make(m: Machine, path: str, site: ast.AST) -> V:
    """What a function of that path returns, if it is a whole model; None if not."""
    if not MODELS.match(path):
        return None
    obj = Obj(Class(path.split(".")[-1], [], {}, MODEL))
    MODEL.init(m, obj, [], {}, site)
    return obj
