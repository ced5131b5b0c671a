"""`torch.utils.data`: datasets and loaders. A loader makes new batches each epoch out of the dataset's own elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from secondpass.machine.containers import get_item, length
from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Dict, Obj, Raised, Seq, Tensor, Unknown, V
from secondpass.pytorch.operands import argument, perform, scalar

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


class TensorDataset(Native):
    """`TensorDataset(x, y)`: element i is (x[i], y[i])."""

    name = "torch.utils.data.TensorDataset"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["tensors"] = Seq("tuple", list(args))

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        return Seq("tuple", [get_item(m, t, index, site) for t in obj.attrs["tensors"].items])

    def length(self, m: Machine, obj: Obj) -> V:
        tensors = obj.attrs["tensors"].items
        return length(m, tensors[0]) if tensors else 0


class Subset(Native):
    """`Subset(dataset, indices)` and the parts of `random_split`: elements of the dataset they come from."""

    name = "torch.utils.data.Subset"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["dataset"] = argument(args, kwargs, 0, "dataset")

    def get_item(self, m: Machine, obj: Obj, index: V, site: ast.AST) -> V:
        return get_item(m, obj.attrs["dataset"], index, site)

    def length(self, m: Machine, obj: Obj) -> V:
        return m.unknown("number", "len", obj)


class DataLoader(Native):
    """`DataLoader(dataset, batch_size)`: collates elements into batches."""

    name = "torch.utils.data.DataLoader"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["dataset"] = argument(args, kwargs, 0, "dataset")
        obj.attrs["batch_size"] = argument(args, kwargs, 1, "batch_size", 1)
        obj.attrs["@collate"] = kwargs.get("collate_fn")

    def size(self, m: Machine, obj: Obj) -> int | None:
        dataset = obj.attrs.get("dataset")
        if type(dataset) not in (Obj, Seq):
            return None
        n, batch = length(m, dataset), scalar(obj.attrs["batch_size"])
        return -(-n // batch) if type(n) is int and type(batch) is int and batch > 0 else None

    def iterate(self, m: Machine, obj: Obj, site: ast.AST) -> Iterator[V] | None:
        return self._batches(m, obj, self.size(m, obj))

    def _batches(self, m: Machine, obj: Obj, size: int | None) -> Iterator[V]:
        dataset, collate = obj.attrs.get("dataset"), obj.attrs.get("@collate")
        batch = scalar(obj.attrs["batch_size"])
        many = not (type(batch) is int and batch <= 1)
        for i in count() if size is None else range(size):
            first = i * (batch if type(batch) is int else 1)
            if type(dataset) in (Obj, Seq):
                elements = []
                for k in (first, first + 1) if many else (first,):
                    try:
                        elements.append(get_item(m, dataset, k, m.site))
                    except Raised:
                        break
                if not elements:
                    return
            else:
                elements = [Unknown("data", "batch")]
            if collate is not None:
                yield m.call(collate, [Seq("list", elements)], {}, m.site)
            else:
                yield batched(m, elements)

    def length(self, m: Machine, obj: Obj) -> V:
        size = self.size(m, obj)
        return size if size is not None else m.unknown("number", "len", obj)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return MISSING


def batched(m: Machine, elements: list[V]) -> V:
    """PyTorch's default collation: stack tensors, go into tuples and dicts, make tensors of numbers."""
    first = elements[0]
    if type(first) is Tensor:
        same = [e for e in elements if type(e) is Tensor]
        return perform(m, "stack", same, m.site)
    if type(first) is Seq:
        rows = [e.items for e in elements if type(e) is Seq]
        return Seq("list", [batched(m, list(column)) for column in zip(*rows, strict=False)])
    if type(first) is Dict:
        return Dict({k: (key, batched(m, [v])) for k, (key, v) in first.items.items()})
    if type(first) is Unknown:
        return Unknown("data", "batch")
    return first if isinstance(first, str) else Tensor()


class Plain(Native):
    """A base class without behaviour of its own (`Dataset`, `Sampler`)."""


CLASSES: dict[str, Native] = {
    "torch.utils.data.DataLoader": DataLoader(),
    "torch.utils.data.TensorDataset": TensorDataset(),
    "torch.utils.data.Dataset": Plain(),
    "torch.utils.data.IterableDataset": Plain(),
    "torch.utils.data.Sampler": Plain(),
    "torch.utils.data.Subset": Subset(),
}
for _path in list(CLASSES):
    _name = _path.rsplit(".", 1)[-1]
    CLASSES[f"torch.utils.data.{'dataloader' if _name == 'DataLoader' else 'dataset'}.{_name}"] = CLASSES[_path]
