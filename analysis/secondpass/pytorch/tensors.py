"""Tensors: operators, indexing, methods and attributes.

Most methods are operations of the measured table. The others (what cuts, what reads numbers, what changes flags) are
named here one by one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from secondpass.machine import containers
from secondpass.machine.autograd import change_in_place, detach_in_place, node_of
from secondpass.machine.graph import Node, Storage
from secondpass.machine.values import MISSING, BoundName, Raised, Seq, Tensor, Unknown, V
from secondpass.pytorch import backward
from secondpass.pytorch.graph_values import grad_fn, hook_handle
from secondpass.pytorch.operands import (
    OPAQUE,
    argument,
    as_tensor,
    flag,
    is_scalar,
    leaf,
    operands_in,
    perform,
    scalar,
    shape_of,
)
from secondpass.pytorch.operations import OPERATIONS

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

Method = Callable[["Machine", Tensor, str, list[V], dict[str, V], ast.AST], V]

NAMES: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
    ast.LShift: "bitwise_left_shift",
    ast.RShift: "bitwise_right_shift",
}
SAME_SHAPE = frozenset(
    (
        "add sub mul div pow neg exp log tanh sigmoid relu abs sqrt clone detach sin cos softmax log_softmax "
        "square clamp float double round floor sign dropout gelu silu elu leaky_relu softplus add_ mul_ sub_ "
        "div_"
    ).split()
)
"""Operations whose result has the shape of their first operand (for the few programs that branch on a batch's size)."""


def binary(m: Machine, op: type, left: V, right: V, site: ast.AST, in_place: bool) -> V:
    """`left op right` where at least one of them is a tensor."""
    name = NAMES.get(op, "add")
    if isinstance(left, str) and op is ast.Mod:
        return m.unknown("number", op, left, right)
    if left is None or right is None or isinstance(left, str) or isinstance(right, str):
        raise Raised("unsupported operand types", "TypeError")
    if type(left) is Tensor:
        if is_scalar(right):
            if in_place:
                return _in_place(m, left, f"{name}_.scalar", [], site)
            result = perform(
                m, f"{name}.scalar", [left], site, OPERATIONS.get(f"{name}.scalar") or OPERATIONS.get(name)
            )
            result.shape = left.shape
            return result
        other = _operand(right)
        if in_place:
            return _in_place(m, left, f"{name}_", [other], site)
        result = perform(m, name, [left, other], site)
        result.shape = left.shape if op is not ast.MatMult and left.shape == other.shape else None
        return result
    if is_scalar(left):
        result = perform(m, f"{name}.rscalar", [right], site, OPERATIONS.get(f"{name}.rscalar") or OPERATIONS.get(name))
        result.shape = right.shape
        return result
    return perform(m, name, [_operand(left), right], site)


def _operand(value: V) -> Tensor:
    found = as_tensor(value)
    if found is not None:
        return found
    inside = operands_in([value])
    return inside[0] if inside else Tensor()


def _in_place(m: Machine, t: Tensor, name: str, others: list[Tensor], site: ast.AST) -> Tensor:
    plain = name.split(".")[0].rstrip("_")
    variant = name.partition(".")[2]
    fact = (
        OPERATIONS.get(name)
        or OPERATIONS.get(f"{plain}_")
        or OPERATIONS.get(f"{plain}.{variant}" if variant else plain)
        or OPERATIONS.get(plain)
        or OPAQUE
    )
    return change_in_place(m, t, name, fact, others, site)


def unary(m: Machine, op: type, operand: Tensor, site: ast.AST) -> V:
    if op is ast.UAdd:
        return operand
    result = perform(m, "neg" if op is ast.USub else "bitwise_not", [operand], site)
    result.shape = operand.shape
    return result


def compare(m: Machine, left: V, right: V, site: ast.AST) -> V:
    shape = left.shape if type(left) is Tensor else None
    return Tensor(None, None, shape)


# --- indexing ---------------------------------------------------------------------------------------------------


def _is_basic(index: V) -> bool:
    if type(index) is Seq and index.kind == "tuple":
        return all(_is_basic(i) for i in index.items)
    return (
        index is None
        or index is Ellipsis
        or isinstance(index, (int, slice))
        or (type(index) is Unknown and index.kind != "opaque")
    )


def get_item(m: Machine, t: Tensor, index: V, site: ast.AST) -> V:
    """`t[index]`: a view for integers and slices, a copy that saves its index otherwise."""
    if isinstance(index, str):
        raise Raised("too many indices", "TypeError")
    if _is_basic(index):
        name = "getitem.slice" if isinstance(index, slice) else "getitem.basic"
        result = perform(m, name, [t], site)
        if t.shape:
            if isinstance(index, int):
                if type(t.shape[0]) is int and not -t.shape[0] <= index < t.shape[0]:
                    raise Raised("index out of range", "IndexError")
                result.shape = t.shape[1:]
            elif isinstance(index, slice) and type(t.shape[0]) is int and _known(index):
                result.shape = (len(range(*index.indices(t.shape[0]))), *t.shape[1:])
        return result
    indices = operands_in([index])
    name = "getitem.index" if indices else "getitem.list"
    return perform(m, name, [t, *indices[:1]], site)


def _known(index: slice) -> bool:
    return all(b is None or type(b) is int for b in (index.start, index.stop, index.step))


def set_item(m: Machine, t: Tensor, index: V, value: V, site: ast.AST) -> None:
    """`t[index] = value`: CopySlices or IndexPut, always released by a walk."""
    number = is_scalar(value) or isinstance(value, bool)
    others = [] if number else [_operand(value)]
    if (isinstance(index, slice) and index == slice(None)) or index is Ellipsis:
        name = "setitem.all"
    elif _is_basic(index):
        name = "setitem.basic"
    else:
        name = "setitem.index"
        others = [*operands_in([index])[:1], *others]
    if number and name != "setitem.all":
        name += ".scalar"
    fact = OPERATIONS["setitem.basic" if name == "setitem.all" and t.base is not None else name]
    change_in_place(m, t, "CopySlices" if "basic" in name else "IndexPutBackward0", fact, others, site)


ROWS = 12
"""Most rows of a tensor that are taken apart: what comes round every few iterations comes round twice."""


def rows(m: Machine, t: Tensor, site: ast.AST) -> list[V]:
    """`for row in t`: unbind, whose rows share one node."""
    size = t.shape[0] if t.shape else None
    n = min(size, ROWS) if type(size) is int else 3
    made = _views(m, "unbind", t, n, site)
    numbers = (t.attrs or {}).get("@numbers")
    for i, row in enumerate(made):
        row.shape = t.shape[1:] if t.shape else None
        if numbers is not None:
            row.attrs = {"@number": numbers[i]}
    return list(made)


def _views(m: Machine, name: str, t: Tensor, n: int, site: ast.AST) -> list[Tensor]:
    first = perform(m, name, [t], site, OPERATIONS[name]._replace(outputs=1))
    out = [first]
    for _ in range(1, n):
        other = Tensor(first.node, first.storage)
        other.base, other.epoch = first.base, first.epoch
        out.append(other)
    return out[:n]


# --- methods ----------------------------------------------------------------------------------------------------

METHODS: dict[str, Method] = {}


def method(*names: str) -> Callable[[Method], Method]:
    def register(run: Method) -> Method:
        for name in names:
            METHODS[name] = run
        return run

    return register


def call_method(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`t.name(...)`."""
    special = METHODS.get(name)
    if special is not None:
        return special(m, t, name, args, kwargs, site)
    if t.attrs is not None and name in t.attrs:
        return m.call(t.attrs[name], args, kwargs, site)
    return operation(m, name, [t, *args], kwargs, site)


def operation(m: Machine, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """An operation of the table by name, its variant chosen by the kinds of its arguments."""
    if name.endswith("_") and not name.startswith("_") and f"{name}" in OPERATIONS and args and type(args[0]) is Tensor:
        others = operands_in([*args[1:], *kwargs.values()])
        variant = name if others or f"{name}.scalar" not in OPERATIONS else f"{name}.scalar"
        fact = OPERATIONS[variant]
        if fact.view:
            return args[0]
        return change_in_place(m, args[0], variant, fact, others, site)
    if name not in OPERATIONS:
        return _unlisted(m, name, args, kwargs, site)
    fact = OPERATIONS[name]
    if kwargs.get("out") is not None and type(kwargs["out"]) is Tensor:
        m.bump(kwargs["out"].storage, site)
        return kwargs["out"]
    operands = operands_in([*args, *(v for k, v in kwargs.items() if k != "out")])
    if not operands:
        made = Tensor()
        return leaf(m, made) if flag(m, kwargs.get("requires_grad"), site, False) else made
    variant = name
    if len(operands) < fact.operands:
        if f"{name}.scalar" in OPERATIONS and len(args) > 1:
            variant = f"{name}.rscalar" if is_scalar(args[0]) and f"{name}.rscalar" in OPERATIONS else f"{name}.scalar"
        elif f"{name}.nobias" in OPERATIONS:
            variant = f"{name}.nobias"
    elif len(operands) > fact.operands and f"{name}.other" in OPERATIONS:
        variant = f"{name}.other"
    if f"{name}.dim" in OPERATIONS and len(operands) == 1 and (len(args) > 1 or "dim" in kwargs):
        variant = f"{name}.dim"
    result = perform(m, variant, operands, site, OPERATIONS[variant])
    if type(result) is Tensor and name in SAME_SHAPE and operands and result is not operands[0]:
        result.shape = operands[0].shape
    return result


def _unlisted(m: Machine, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """A method that nobody measured: what comes out of tensors without history has none."""
    operands = operands_in([*args, *kwargs.values()])
    if any(node_of(m, t) is not None for t in operands):
        return Unknown("opaque", name)
    return Unknown("data", name)


@method("detach")
def detach(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    m.detached(t, site)
    return Tensor(None, t.storage, t.shape)


@method("detach_")
def detach_(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return detach_in_place(m, t, site)


@method("backward")
def backward_(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    named = dict(zip(("gradient", "retain_graph", "create_graph", "inputs"), args, strict=False))
    return backward.backward(m, [t], {**named, **kwargs}, site)


@method(
    "item",
    "tolist",
    "numpy",
    "data_ptr",
    "storage",
    "untyped_storage",
    "get_device",
    "element_size",
    "stride",
    "storage_offset",
)
def reads(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if name == "numpy":
        if node_of(m, t) is not None and m.grad_mode:
            raise Raised("can't call numpy() on a tensor that requires grad", "RuntimeError")
        return m.unknown("data", "numpy", t)
    if name == "tolist":
        numbers = (t.attrs or {}).get("@numbers")
        if numbers is not None and len(numbers) <= containers.MOST:
            return Seq("list", list(numbers))
        if t.shape and all(type(s) is int for s in t.shape) and len(t.shape) == 1:
            n = t.shape[0]
            made = Seq("list", [m.unknown("number", "tolist", t, i) for i in range(min(n, 6))], n > 6)
            made.count = n if n > 6 else None
            return made
        if t.shape and len(t.shape) == 2 and all(type(s) is int for s in t.shape):
            items: list[V] = [
                Seq("list", [m.unknown("number", "tolist", t, i, j) for j in range(min(t.shape[1], 6))], t.shape[1] > 6)
                for i in range(min(t.shape[0], 6))
            ]
            return Seq("list", items, t.shape[0] > 6)
        return m.unknown("number", "tolist", t)
    if name == "item" and t.attrs is not None and "@number" in t.attrs:
        return t.attrs["@number"]
    return m.unknown("number", name, t)


@method("size")
def size(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    dim = scalar(argument(args, kwargs, 0, "dim"))
    return shape(m, t) if dim is None else dimension(m, t, dim)


def shape(m: Machine, t: Tensor) -> V:
    if t.shape is not None:
        return Seq("tuple", list(t.shape))
    return m.unknown("number", "shape", t.storage)


def dimension(m: Machine, t: Tensor, dim: V) -> V:
    if t.shape is not None and type(dim) is int and -len(t.shape) <= dim < len(t.shape):
        return t.shape[dim]
    from secondpass.machine.containers import get_item as item

    return item(m, m.unknown("number", "shape", t.storage), dim, m.site)


@method("dim", "ndimension")
def dim_(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return len(t.shape) if t.shape is not None else m.unknown("number", "dim", t.storage)


@method("numel", "nelement")
def numel(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if t.shape is not None and all(type(s) is int for s in t.shape):
        n = 1
        for s in t.shape:
            n *= s
        return n
    return m.unknown("number", "numel", t.storage)


@method(
    "is_contiguous",
    "is_floating_point",
    "is_complex",
    "is_pinned",
    "is_shared",
    "is_same_size",
    "equal",
    "allclose",
    "is_set_to",
    "type",
    "get_device",
    "cuda_",
    "is_inference",
)
def asks(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if name == "type" and args:
        return convert(m, t, name, args, kwargs, site)
    return m.unknown("number", name, t)


INTEGRAL = (
    "int",
    "long",
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "short",
    "LongTensor",
    "IntTensor",
    "BoolTensor",
)


@method(
    "to",
    "cpu",
    "cuda",
    "float",
    "double",
    "half",
    "bfloat16",
    "type_as",
    "contiguous",
    "mps",
    "xpu",
    "pin_memory",
    "share_memory_",
    "as_subclass",
    "to_dense",
)
def convert(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Conversions keep the history; the same object comes back where nothing is to be done."""
    for a in (*args, *kwargs.values()):
        path = getattr(a, "path", None)
        if path is not None and path.rsplit(".", 1)[-1] in INTEGRAL:
            return Tensor(None, None, t.shape)
    return t


@method(
    "int",
    "long",
    "bool",
    "short",
    "byte",
    "char",
    "argmax",
    "argmin",
    "argsort",
    "nonzero",
    "new_zeros",
    "new_ones",
    "new_full",
    "new_empty",
    "new_tensor",
    "new",
    "isnan",
    "isinf",
    "isfinite",
)
def cuts(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    made = Tensor()
    if name in ("new_zeros", "new_ones", "new_empty"):
        made.shape = shape_of(args)
    elif name in ("int", "long", "bool", "isnan"):
        made.shape = t.shape
    if "requires_grad" in kwargs and flag(m, kwargs["requires_grad"], site, False):
        leaf(m, made)
    return made


@method("requires_grad_")
def requires_grad_(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    set_requires_grad(m, t, flag(m, argument(args, kwargs, 0, "requires_grad", True), site, True))
    return t


def set_requires_grad(m: Machine, t: Tensor, wanted: bool) -> None:
    before = node_of(m, t)
    if wanted:
        leaf(m, t)
    elif type(before) is Node:
        raise Raised("you can only change requires_grad flags of leaf variables", "RuntimeError")
    else:
        t.node = None


@method("retain_grad")
def retain_grad(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """From now on a tensor in the middle of the graph keeps its gradient too."""
    if t.attrs is None:
        t.attrs = {}
    t.attrs["@grad"] = Tensor(None, None, t.shape)
    return None


@method("zero_grad_", "record_stream", "refine_names", "rename_")
def keeps(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return None


@method("register_hook", "register_post_accumulate_grad_hook")
def register_hook(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    node = node_of(m, t)
    if type(node) is Node and args:
        if node.hooks is None:
            node.hooks = []
        node.hooks.append(args[0])
        node.eventful = True
        return hook_handle(node.hooks, args[0])
    return hook_handle([], None)


@method(
    "apply_",
    "map_",
    "random_",
    "normal_",
    "uniform_",
    "bernoulli_",
    "exponential_",
    "cauchy_",
    "log_normal_",
    "geometric_",
    "trunc_normal_",
    "resize_",
    "set_",
    "resize_as_",
)
def rewrites(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return change_in_place(m, t, "rewrite", OPERATIONS["zero_"], [], site)


@method(
    "chunk", "split", "tensor_split", "unbind", "split_with_sizes", "unsafe_chunk", "unsafe_split", "hsplit", "vsplit"
)
def divides(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return divide(m, name if name in ("chunk", "unbind") else "split", t, args, kwargs, site)


def divide(m: Machine, name: str, t: Tensor, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`split`, `chunk`, `unbind`: views that share one node."""
    dim = scalar(argument(args, kwargs, 0 if name == "unbind" else 1, "dim", 0))
    along = t.shape[dim] if t.shape and type(dim) is int and -len(t.shape) <= dim < len(t.shape) else None
    n: int | None = None
    sizes: list[V] = []
    if name == "unbind":
        n = along if type(along) is int else None
    elif name == "chunk":
        n = scalar(argument(args, kwargs, 0, "chunks"))
    else:
        part = scalar(argument(args, kwargs, 0, "split_size", argument([], kwargs, 9, "split_size_or_sections")))
        if type(part) is Seq and not part.open:
            n, sizes = len(part.items), part.items
        elif type(part) is int and type(along) is int and part:
            n = -(-along // part)
            sizes = [min(part, along - i * part) for i in range(n)]
    known = type(n) is int and n <= 24
    made = _views(m, "unbind" if name == "unbind" else "split", t, n if known and n else 2, site)
    for i, part_ in enumerate(made):
        if sizes and t.shape and dim == 0:
            part_.shape = (sizes[i], *t.shape[1:])
        elif name == "unbind" and t.shape and dim == 0:
            part_.shape = t.shape[1:]
    return Seq("tuple", list(made), not known)


@method("repeat", "expand", "view", "reshape", "flatten", "transpose", "permute", "squeeze", "unsqueeze")
def reshapes(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return perform(m, name if name in OPERATIONS else "view", [t], site)


@method("dropout", "index_fill_", "masked_fill_")
def others(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if name.endswith("_"):
        return change_in_place(m, t, name, OPERATIONS.get(name, OPAQUE), operands_in(args), site)
    return operation(m, name, [t, *args], kwargs, site)


@method("__len__")
def len_(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return dimension(m, t, 0)


@method("is_leaf_", "__array__")
def array(m: Machine, t: Tensor, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.unknown("data", "numpy", t)


# --- attributes -------------------------------------------------------------------------------------------------

VIEWS = ("T", "mT", "H", "mH", "real", "imag")


def get_attribute(m: Machine, t: Tensor, name: str, site: ast.AST) -> V:
    """`t.name`."""
    if name == "data":
        return Tensor(None, Storage(t.storage.of or t.storage), t.shape)
    if name == "grad":
        return t.attrs["@grad"] if t.grad is None and t.attrs is not None and "@grad" in t.attrs else t.grad
    if name == "requires_grad":
        return node_of(m, t) is not None
    if name == "grad_fn":
        node = node_of(m, t)
        return grad_fn(m, node) if type(node) is Node else None
    if name == "is_leaf":
        return type(node_of(m, t)) is not Node
    if name == "shape":
        return shape(m, t)
    if name in VIEWS:
        return perform(m, name if name in OPERATIONS else "T", [t], site)
    if name == "ndim":
        return dim_(m, t, name, [], {}, site)
    if name in ("device", "dtype", "layout", "is_cuda", "is_sparse", "itemsize", "nbytes", "names"):
        return m.unknown("number", name, t.storage) if name != "is_cuda" else False
    if name == "_version":
        return t.storage.version
    if name == "__class__":
        return m.external("torch.Tensor")
    if t.attrs is not None and name in t.attrs:
        return t.attrs[name]
    if name in METHODS or name in OPERATIONS:
        return BoundName(t, name)
    return MISSING


def set_attribute(m: Machine, t: Tensor, name: str, value: V, site: ast.AST) -> None:
    """`t.name = value`."""
    if name == "grad":
        t.grad = value if type(value) is Tensor else None if value is None else Tensor()
    elif name == "data":
        t.storage.silent += 1
        t.storage.silent_writer = site
        if type(value) is Tensor:
            t.shape = value.shape
    elif name == "requires_grad":
        set_requires_grad(m, t, flag(m, value, site, True))
    else:
        if t.attrs is None:
            t.attrs = {}
        t.attrs[name] = value
