"""Functions of `torch` that are not operations of the table: making tensors, utilities, higher-order functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from secondpass.machine.autograd import change_in_place, node_of
from secondpass.machine.graph import Leaf
from secondpass.machine.values import Builtin, Dict, Function, Obj, Seq, Tensor, Unknown, V, Value
from secondpass.pytorch import backward, distributions, tensors
from secondpass.pytorch.modules import as_parameter
from secondpass.pytorch.operands import (
    OPAQUE,
    argument,
    as_tensor,
    flag,
    leaf,
    operands_in,
    perform,
    scalar,
    shape_of,
)
from secondpass.pytorch.operations import OPERATIONS

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

Run = Callable[["Machine", list[V], dict[str, V], ast.AST], V]
FUNCTIONS: dict[str, Run] = {}


def function(*paths: str) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        for path in paths:
            FUNCTIONS[path] = run
        return run

    return register


def _wants_grad(m: Machine, t: Tensor, kwargs: dict[str, V], site: ast.AST) -> Tensor:
    if "requires_grad" in kwargs and flag(m, kwargs["requires_grad"], site, False):
        leaf(m, t)
    return t


@function(*[f"torch.{n}" for n in ["zeros", "ones", "rand", "randn", "empty"]])
def creates(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    sizes = args or ([kwargs["size"]] if "size" in kwargs else [])
    return _wants_grad(m, Tensor(None, None, shape_of(sizes)), kwargs, site)


@function("torch.randint")
def randint(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    size = kwargs.get("size") or next((a for a in args if type(a) is Seq), None)
    return Tensor(None, None, shape_of([size]) if size is not None else None)


@function("torch.full")
def full(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return _wants_grad(m, Tensor(None, None, shape_of(args[:1])), kwargs, site)


@function("torch.arange", "torch.linspace", "torch.logspace", "torch.randperm", "torch.range", "torch.eye")
def ranges(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    numbers = [scalar(a) for a in args]
    shape: tuple[V, ...] | None = None
    name = getattr(site, "func", None)
    called = name.attr if isinstance(name, ast.Attribute) else name.id if isinstance(name, ast.Name) else ""
    if called in ("arange", "randperm") and len(numbers) == 1 and type(numbers[0]) is int:
        shape = (numbers[0],)
    elif called == "arange" and len(numbers) == 2 and all(type(x) is int for x in numbers):
        shape = (max(0, numbers[1] - numbers[0]),)
    elif called == "linspace" and len(numbers) >= 3 and type(numbers[2]) is int:
        shape = (numbers[2],)
    elif called == "eye" and numbers and type(numbers[0]) is int:
        shape = (numbers[0], numbers[1] if len(numbers) > 1 else numbers[0])
    made = Tensor(None, None, shape)
    if called in ("arange", "randperm") and shape is not None:
        # One permutation is as good as another: each number comes once.
        made.attrs = {"@numbers": range(*numbers)}
    return _wants_grad(m, made, kwargs, site)


@function(
    *[f"torch.{n}_like" for n in ["zeros", "ones", "rand", "randn", "empty", "full", "randint"]],
)
def likes(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    source = as_tensor(args[0]) if args else None
    return _wants_grad(m, Tensor(None, None, source.shape if source else None), kwargs, site)


@function(
    "torch.tensor",
    "torch.Tensor",
    "torch.FloatTensor",
    "torch.DoubleTensor",
    "torch.LongTensor",
    "torch.BoolTensor",
    "torch.IntTensor",
    "torch.from_numpy",
    "torch.frombuffer",
    "torch.complex",
    "torch.cuda.FloatTensor",
    "torch.cuda.LongTensor",
)
def from_data(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    func = getattr(site, "func", None)
    called = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else "tensor"
    if args and type(args[0]) is Tensor and called in ("Tensor", "FloatTensor"):
        return args[0]
    if called.endswith("Tensor") and args and not isinstance(args[0], Value):
        return Tensor(None, None, shape_of(args))
    return _wants_grad(m, Tensor(None, None, _nested_shape(args[0]) if args else None), kwargs, site)


def _nested_shape(value: V) -> tuple[V, ...] | None:
    if type(value) is Seq:
        if value.open:
            return None
        inner = _nested_shape(value.items[0]) if value.items else ()
        return None if inner is None else (len(value.items), *inner)
    if type(value) is Tensor:
        return value.shape
    return () if not isinstance(value, Value) or (type(value) is Unknown and value.kind == "number") else None


@function("torch.as_tensor", "torch.asarray")
def as_tensor_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return args[0] if args and type(args[0]) is Tensor else from_data(m, args, kwargs, site)


@function("torch.nn.Parameter", "torch.nn.parameter.Parameter")
def parameter(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    given = as_tensor(argument(args, kwargs, 0, "data")) or Tensor()
    return as_parameter(m, given, flag(m, argument(args, kwargs, 1, "requires_grad", True), site, True))


@function("torch.nn.Buffer", "torch.nn.parameter.Buffer")
def buffer(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    given = as_tensor(argument(args, kwargs, 0, "data")) or Tensor()
    return Tensor(None, given.storage, given.shape)


@function("torch.autograd.Variable", "torch.autograd.variable.Variable")
def variable(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    given = as_tensor(args[0]) if args else None
    made = Tensor(None, given.storage if given else None, given.shape if given else None)
    if given is not None and type(node_of(m, given)) is Leaf:
        leaf(m, made)
    return _wants_grad(m, made, kwargs, site)


@function("torch.autograd.backward")
def autograd_backward(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return backward.autograd_backward(m, args, kwargs, site)


@function("torch.autograd.grad")
def autograd_grad(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return backward.autograd_grad(m, args, kwargs, site)


@function("torch.is_grad_enabled")
def is_grad_enabled(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.grad_mode


@function("torch.is_tensor")
def is_tensor(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.unknown("number", "is_tensor", args[0]) if type(args[0]) is Unknown else type(args[0]) is Tensor


@function(
    "torch.cuda.is_available",
    "torch.backends.mps.is_available",
    "torch.distributed.is_available",
    "torch.distributed.is_initialized",
    "torch.is_autocast_enabled",
    "torch.xpu.is_available",
)
def absent(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """No accelerator, no process group: neither changes what a walk consumes."""
    return False


@function("torch.cuda.device_count")
def device_count(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.unknown("number", "device_count")


@function("torch.nn.parallel.data_parallel")
def data_parallel(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`data_parallel(module, inputs, ...)`: the module's own forward."""
    inputs = args[1:2] if args[1:2] and type(args[1]) is not Seq else list(args[1].items) if args[1:2] else []
    return m.call(args[0], inputs, {}, site)


@function(
    "torch.manual_seed",
    "torch.save",
    "torch.set_num_threads",
    "torch.set_default_dtype",
    "torch.use_deterministic_algorithms",
    "torch.cuda.synchronize",
    "torch.cuda.empty_cache",
    "torch.cuda.manual_seed_all",
    "torch.set_float32_matmul_precision",
    "torch.set_printoptions",
    "torch.set_default_device",
    "torch.cuda.set_device",
    "torch.seed",
    "torch.set_default_tensor_type",
    "torch.cuda.manual_seed",
    "torch.set_rng_state",
    "torch.random.manual_seed",
    "torch.compiler.reset",
    "torch._dynamo.reset",
)
def effectless(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return None


@function(
    "torch.load",
    "torch.device",
    "torch.Generator",
    "torch.get_rng_state",
    "torch.initial_seed",
    "torch.cuda.current_device",
    "torch.cuda.memory_allocated",
    "torch.cuda.max_memory_allocated",
    "torch.numel",
    "torch.Size",
    "torch.finfo",
    "torch.iinfo",
    "torch.get_default_dtype",
    "torch.promote_types",
)
def opaque_number(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Unknown("data")


@function(
    "torch.nn.utils.clip_grad_norm_",
    "torch.nn.utils.clip_grad_value_",
    "torch.nn.utils.clip_grad_norm",
    "torch.nn.utils.get_total_norm",
)
def clips(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    for t in operands_in(args[:1]):
        if t.grad is not None:
            m.bump(t.grad.storage, site)
    return Tensor()


@function("torch.nn.utils.parameters_to_vector")
def to_vector(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return perform(m, "cat", operands_in(args[:1]), site)


@function("torch.nn.utils.vector_to_parameters")
def from_vector(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    for t in operands_in(args[1:2]):
        t.storage.silent += 1
        t.storage.silent_writer = site
    return None


@function(
    "torch.nn.utils.rnn.pack_padded_sequence", "torch.nn.utils.rnn.pad_sequence", "torch.nn.utils.rnn.pack_sequence"
)
def packs(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return perform(m, "pack_padded_sequence", operands_in(args[:1]), site, OPAQUE)


@function("torch.nn.utils.rnn.pad_packed_sequence")
def pads(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Seq("tuple", [perform(m, "pad_packed_sequence", operands_in(args[:1]), site, OPAQUE), Tensor()])


@function(
    "torch.nn.utils.remove_weight_norm",
    "torch.nn.DataParallel",
    "torch.nn.parallel.DataParallel",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
    "torch.jit.script",
    "torch.jit.trace",
    "torch.jit.ignore",
    "torch.jit.export",
    "torch.jit.unused",
    "torch.compiler.disable",
    "torch._dynamo.disable",
    "torch.nn.utils.prune.l1_unstructured",
    "torch.jit.script_if_tracing",
    "torch.autograd.function.once_differentiable",
    "torch.cuda.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd",
    "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
)
def same_object(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Wrappers that compute the same thing anew at every call."""
    if not args:
        return Builtin("decorator", lambda m, args, kwargs, site: args[0] if args else None)
    return args[0]


@function(
    "torch.nn.utils.weight_norm",
    "torch.nn.utils.spectral_norm",
    "torch.nn.utils.parametrizations.weight_norm",
    "torch.nn.utils.parametrizations.spectral_norm",
    "torch.nn.utils.parametrizations.orthogonal",
    "torch.nn.utils.parametrize.register_parametrization",
)
def parametrize(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """From now on the layer's weight is computed anew from its originals at every use."""
    module = args[0]
    name = next((a for a in args[1:] if isinstance(a, str)), kwargs.get("name", "weight"))
    if type(module) is Obj and isinstance(name, str):
        original = module.attrs.pop(name, None)
        if type(original) is Tensor:
            module.attrs[f"parametrizations_{name}_original"] = original
            module.attrs.setdefault("@computed", {})[name] = original
    return module


@function("torch.compile")
def compile_(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`torch.compile(f)`: computes the same, in regions that PyTorch refuses to retain."""
    if not args:
        return Builtin("compile", lambda m, more, named, site: compile_(m, more, kwargs, site))
    inner = args[0]
    if kwargs.get("backend") == "eager" or type(inner) is Unknown:
        return inner

    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        m.compiling.append(inner)
        try:
            return m.call(inner, args, kwargs, site)
        finally:
            m.compiling.pop()

    if type(inner) is Obj:
        made = Obj(inner.cls)
        made.attrs = inner.attrs
        made.compiled = True
        return made
    return Builtin("compiled", run)


@function("torch.utils.checkpoint.checkpoint", "torch.utils.checkpoint.checkpoint_sequential")
def checkpoint(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Recomputes inside the walk: the same verdicts as running the function plainly."""
    rest = {
        k: v
        for k, v in kwargs.items()
        if k not in ("use_reentrant", "preserve_rng_state", "determinism_check", "debug", "context_fn")
    }
    result = m.call(args[0], args[1:], rest, site)
    made = operands_in([result], 1)
    return perform(m, "checkpoint", made, site, OPAQUE) if type(result) is Tensor and made else result


@function("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def functional_call(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Run a module with other tensors in its parameters' places."""
    module, given = args[0], args[1]
    rest = argument(args, kwargs, 2, "args", Seq("tuple", []))
    named = argument(args, kwargs, 3, "kwargs")
    values = list(rest.items) if type(rest) is Seq else [rest]
    keywords = {str(k): v for k, (_, v) in named.items.items()} if type(named) is Dict else {}
    if type(module) is not Obj:
        return Unknown()
    dicts = [d for d in (given.items if type(given) is Seq else [given]) if type(d) is Dict]
    saved: list[tuple[Obj, str, V]] = []
    for one in dicts:
        for key, value in one.items.values():
            owner: V = module
            *path, last = str(key).split(".")
            for part in path:
                owner = owner.attrs.get(part) if type(owner) is Obj else None
            if type(owner) is Obj and last in owner.attrs:
                saved.append((owner, last, owner.attrs[last]))
                owner.attrs[last] = value
    try:
        return m.call(module, values, keywords, site)
    finally:
        for owner, last, before in reversed(saved):
            owner.attrs[last] = before


@function(
    *[
        f"torch.func.{n}"
        for n in ["grad", "grad_and_value", "vmap", "jacrev", "jacfwd", "hessian", "vjp", "jvp", "linearize"]
    ],
    "torch.vmap",
)
def transforms(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Function transforms walk graphs of their own and consume none of ours."""
    return Builtin("transformed", lambda m, args, kwargs, site: Unknown("data"))


@function(*[f"torch.autograd.functional.{n}" for n in ["jacobian", "hessian", "vjp", "jvp", "hvp", "vhp"]])
def functional(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Unknown("data")


@function(
    "torch.utils._pytree.tree_map", "torch.utils._pytree.tree_map_only", "optree.tree_map", "torch.nested.tree_map"
)
def tree_map(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    fn, tree = (args[0], args[1]) if type(args[0]) in (Function, Builtin) or len(args) == 2 else (args[1], args[2])

    def go(value: V) -> V:
        if type(value) is Seq:
            made = Seq(value.kind, [go(v) for v in value.items], value.open)
            made.fields, made.cls = value.fields, value.cls
            return made
        if type(value) is Dict:
            return Dict({k: (key, go(v)) for k, (key, v) in value.items.items()}, value.default)
        return m.call(fn, [value], {}, site)

    return go(tree)


@function("torch.utils.data.random_split")
def random_split(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    sizes = args[1].items if len(args) > 1 and type(args[1]) is Seq else [0, 0]
    subset = m.library.as_class(m, m.external("torch.utils.data.Subset"))
    return Seq("list", [m.call(subset, [args[0]], {}, site) for _ in sizes])


@function("torch.utils.data.default_collate", "torch.utils.data.dataloader.default_collate")
def collate(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    from secondpass.pytorch.data import batched

    return batched(m, args[0].items if type(args[0]) is Seq and args[0].items else [Unknown("data")])


@function("torch.distributions.kl_divergence", "torch.distributions.kl.kl_divergence")
def kl(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return distributions.kl_divergence(m, args, kwargs, site)


@function(
    "torch.nn.functional.dropout",
    "torch.dropout",
    *[f"torch.nn.functional.dropout{d}d" for d in (1, 2, 3)],
    "torch.nn.functional.alpha_dropout",
    "torch.nn.functional.feature_alpha_dropout",
)
def dropout(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    training = flag(m, argument(args, kwargs, 2, "training", True), site, True)
    p = scalar(argument(args, kwargs, 1, "p", 0.5))
    operand = operands_in(args[:1] or [kwargs.get("input")])
    if not operand:
        return Unknown("data")
    return perform(m, "dropout.train" if training and p != 0 else "dropout.eval", operand, site)


@function(
    "torch.nn.functional.batch_norm",
    "torch.nn.functional.layer_norm",
    "torch.nn.functional.group_norm",
    "torch.nn.functional.instance_norm",
    "torch.nn.functional.rms_norm",
)
def norms(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return perform(m, "norm_layer", operands_in([*args, *kwargs.values()]), site, OPAQUE)


@function("torch.split", "torch.chunk", "torch.unbind", "torch.tensor_split")
def divides(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    func = getattr(site, "func", None)
    called = func.attr if isinstance(func, ast.Attribute) else "split"
    t = as_tensor(args[0])
    if t is None:
        return Unknown("data")
    return tensors.divide(m, called if called in ("chunk", "unbind") else "split", t, args[1:], kwargs, site)


@function("torch.detach", "torch.Tensor.detach")
def detach(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    t = as_tensor(args[0])
    return Tensor(None, t.storage, t.shape) if t is not None else args[0]


@function("torch.einsum")
def einsum(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    operands = operands_in(args[1:])
    fact = OPAQUE
    if len(operands) == 1:
        fact = OPERATIONS["einsum.single" if _keeps_all(args[0]) else "einsum.sum"]
    return perform(m, "einsum", operands, site, fact) if operands else Unknown("data")


def _keeps_all(equation: V) -> bool:
    """Whether the result of an einsum over one tensor is a view of it: no index is summed over."""
    if not isinstance(equation, str):
        return False
    given, arrow, left = equation.replace(" ", "").partition("->")
    return set(given) == set(left) if arrow else all(given.count(letter) == 1 for letter in given)


@function("torch.where")
def where(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if len(args) == 1:
        return Seq("tuple", [Tensor(), Tensor()], True)
    operands = [as_tensor(a) or Tensor() for a in args[:3]]
    result = perform(m, "where", operands, site)
    result.shape = next((t.shape for t in operands[1:] if t.shape is not None), None)
    return result


@function("torch.numel", "torch.sym_int")
def counts(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return Unknown("number")


@function("torch.meshgrid")
def meshgrid(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    operands = operands_in(args)
    return Seq("tuple", [perform(m, "expand", [t], site) for t in operands])


def initialise(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`torch.nn.init.*_`: writes under no_grad."""
    t = argument(args, kwargs, 0, "tensor")
    if type(t) is Tensor:
        mode, m.grad_mode = m.grad_mode, False
        try:
            change_in_place(m, t, "init", OPERATIONS["zero_"], [], site)
        finally:
            m.grad_mode = mode
    return t


FUNCTIONS["torch.nn.functional.pad"] = lambda m, args, kwargs, site: tensors.operation(m, "pad", args[:1], {}, site)
