"""Measures what PyTorch's operations and layers do to the graph and writes the generated tables of this folder.

Run `python -m secondpass.pytorch.measure --write` to measure the installed PyTorch and rewrite `operations.py`,
`layers.py` and `optimizer_table.py`, or without `--write` to print them. Every fact is the outcome of a real call
followed by real walks: small operands are built, one of them requires grad, the operation is called, and then

- walked twice: does the second walk raise?
- called again, one operand's or result's version raised between forward and backward: does the backward raise?

This generator and the recorder are the only files of the analysis that import PyTorch.
"""

from __future__ import annotations

import argparse
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from secondpass.pytorch import layer_recipes, recipes, tables
from secondpass.pytorch.layer_facts import Layer
from secondpass.pytorch.operation_facts import Operation
from secondpass.pytorch.optimizer_facts import Optimizer
from secondpass.pytorch.recipes import Recipe

NAMES = "abcdefgh"
SECOND_TIME = "backward through the graph a second time"
INPLACE = ("modified by an inplace operation", "has been modified inplace")
"""The usual message, and the one where the saved tensor is one of several views of the changed one (unbind, chunk)."""

_FAILURES = (RuntimeError, TypeError, ValueError, IndexError, AttributeError, KeyError, AssertionError)


class Unmeasurable(Exception):
    """The call cannot be measured: it fails, returns no tensor, or its backward raises something else."""


def setitem(target: Tensor, index: Any, value: Any) -> Tensor:
    """`target[index] = value` as an expression."""
    target[index] = value
    return target


def unpacked(result: tuple[Any, Any]) -> tuple[Tensor, Any]:
    """A recurrent layer's result on a packed sequence, with the packed output's data in its place."""
    return result[0].data, result[1]


_SCOPE: dict[str, Any] = {
    "torch": torch,
    "nn": nn,
    "F": F,
    "D": torch.distributions,
    "setitem": setitem,
    "unpacked": unpacked,
}


# What is measured


class Subject(NamedTuple):
    """Something to measure."""

    build: Callable[[Sequence[int]], tuple[list[Tensor], Callable[[], Any]]]
    """Given the indices of the operands that are to require grad: the operands, and the call on them."""
    floating: tuple[int, ...]
    """The operands that may require grad."""
    parameters: tuple[int, ...] = ()
    """Those of them that are parameters, which usually require grad together."""


def operand(spec: str) -> Tensor:
    """Build the operand that a recipe's text describes (see recipes.py)."""
    shape_text, _, kind = spec.partition(":")
    shape = [] if shape_text == "x" else [int(size) for size in shape_text.split("x")]
    count = math.prod(shape)
    if kind == "spd":
        root = torch.rand(shape)
        return root @ root.T + 3 * torch.diag(torch.arange(1.0, shape[0] + 1))
    if kind == "double":
        return torch.rand(shape, dtype=torch.float64)
    if kind == "complex":
        return torch.rand(shape, dtype=torch.complex64)
    if kind == "long":
        return (torch.arange(count) % 2).reshape(shape)
    if kind == "long:one":
        return torch.ones(shape, dtype=torch.long)
    if kind == "long:perm":
        return torch.arange(count).reshape(shape)
    if kind == "int":
        return torch.arange(1, count + 1, dtype=torch.int32).reshape(shape)
    if kind == "bool":
        return (torch.arange(count) % 2 == 0).reshape(shape)
    return torch.rand(shape) * 0.6 + 0.2


def _may_require_grad(specs: Sequence[str]) -> tuple[int, ...]:
    return tuple(i for i, spec in enumerate(specs) if spec.partition(":")[2] in ("", "double", "spd", "complex"))


def operation_subject(recipe: Recipe) -> Subject:
    """The call of a recipe. Operands that require grad are non-leaves, so that in-place operations are legal."""
    expression, *specs = recipe
    call = eval(f"lambda {', '.join(NAMES[: len(specs)])}: {expression}", dict(_SCOPE))

    def build(needs: Sequence[int]) -> tuple[list[Tensor], Callable[[], Any]]:
        operands = [operand(spec) for spec in specs]
        for j in needs:
            operands[j] = operands[j].requires_grad_().clone()
        return operands, lambda: call(*operands)

    return Subject(build, _may_require_grad(specs))


def _parameters_and_buffers(layer: nn.Module) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    buffers = {name: buffer for name, buffer in layer.named_buffers() if buffer.is_floating_point()}
    return dict(layer.named_parameters()), buffers


def layer_subject(recipe: Recipe, train: bool) -> Subject:
    """The call of a layer recipe: operands are the inputs, then the parameters, then the floating-point buffers."""
    constructor, call_text, *specs = recipe
    names = ", ".join(NAMES[: len(specs)])
    call = eval(f"lambda m, {names}: {call_text or f'm({names})'}", dict(_SCOPE))

    def build(needs: Sequence[int]) -> tuple[list[Tensor], Callable[[], Any]]:
        layer: nn.Module = eval(constructor, dict(_SCOPE))
        inputs = [operand(spec) for spec in specs]
        if isinstance(layer, nn.modules.lazy.LazyModuleMixin):
            with torch.no_grad():
                call(layer, *inputs)
        layer.train(train).requires_grad_(False)
        parameters, buffers = _parameters_and_buffers(layer)
        operands = [*inputs, *parameters.values(), *buffers.values()]
        for j in needs:
            operands[j].requires_grad_()
            if j < len(inputs):
                operands[j] = operands[j].clone()
        return operands, lambda: call(layer, *operands[: len(inputs)])

    count = len(build(())[0])
    layer = eval(constructor, dict(_SCOPE))
    first_buffer = len(specs) + len(list(layer.parameters()))
    floating = _may_require_grad(specs) + tuple(range(len(specs), min(first_buffer, count)))
    return Subject(build, floating, tuple(range(len(specs), min(first_buffer, count))))


# One run and what it shows


def tensors(value: Any) -> Iterator[Tensor]:
    """The tensors of a call's result, in order, out of any tuples and lists."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors(item)


class Run:
    """One call of a subject, the operands of `needs` requiring grad."""

    def __init__(self, subject: Subject, needs: Sequence[int]) -> None:
        torch.manual_seed(0)
        self.operands, call = subject.build(needs)
        before = [t._version for t in self.operands]
        self.value = call()
        self.outputs = list(tensors(self.value))
        if not self.outputs:
            raise Unmeasurable("returns no tensor")
        self.same = bool(self.operands) and self.outputs[0] is self.operands[0]
        self.in_place = self.same and self.operands[0]._version > before[0]
        self.graphs = [out.requires_grad and out.grad_fn is not None for out in self.outputs]
        # A consumer that saves nothing, as real programs have one: the outputs may themselves be views of what changes.
        self.roots = [out.clone() for out, graph in zip(self.outputs, self.graphs, strict=True) if graph]

    def walk(self) -> str:
        """Walk backward from every output; "" if fine, else PyTorch's message."""
        try:
            torch.autograd.backward(self.roots, [root.detach().clone() for root in self.roots])
        except RuntimeError as error:
            return str(error)
        return ""


class Seen(NamedTuple):
    """What happened when certain operands required grad."""

    frees: bool
    saves: list[bool]
    results: list[bool]
    connected: list[bool]


def _changed(message: str) -> bool:
    """Whether the message says that a saved tensor was changed in place."""
    return any(text in message for text in INPLACE)


def observe(subject: Subject, needs: Sequence[int]) -> Seen | None:
    """Run, walk twice, and walk again after raising each version; None if there is no graph, or none to be walked."""
    try:
        run = Run(subject, needs)
    except RuntimeError as error:
        if "not differentiable with respect to argument" in str(error):
            return None
        raise
    if not run.roots:
        return None
    first = run.walk()
    if "is not implemented" in first:
        return None
    if _changed(first):
        return Seen(False, [i == 0 for i in range(len(run.operands))], [False] * len(run.outputs), run.graphs)
    if first:
        raise Unmeasurable(first)
    second = run.walk()
    if second and SECOND_TIME not in second:
        raise Unmeasurable(second)

    def raises(pick: Callable[[Run], Tensor]) -> bool:
        again = Run(subject, needs)
        torch.autograd.graph.increment_version(pick(again))
        return _changed(again.walk())

    saves = [not (run.in_place and i == 0) and raises(lambda r, i=i: r.operands[i]) for i in range(len(run.operands))]  # type: ignore[misc]
    results = [raises(lambda r, k=k: r.outputs[k]) for k in range(len(run.outputs))]  # type: ignore[misc]
    return Seen(bool(second), saves, results, run.graphs)


# From what was seen to masks


class Facts(NamedTuple):
    """The fields that `Operation` and `Layer` share, for every output, plus what does not OR."""

    fields: dict[str, Any]
    wrong: tuple[str, ...]


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << j for j in bits)


def _trimmed(masks: Sequence[int]) -> tuple[int, ...]:
    """Without the zeros at the end."""
    kept = list(masks)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def measure(subject: Subject) -> Facts:
    """Measure a subject; raises `Unmeasurable` if the call fails, returns no tensor or cannot be walked."""
    try:
        base = Run(subject, ())
        seen = {j: s for j in subject.floating if (s := observe(subject, (j,))) is not None}
        fields = _fields(subject, base, seen)
        wrong = tuple(_combination_errors(subject, fields, seen))
    except _FAILURES as error:
        raise Unmeasurable(f"{type(error).__name__}: {error}") from error
    return Facts(fields, wrong)


def _fields(subject: Subject, base: Run, seen: Mapping[int, Seen]) -> dict[str, Any]:
    outputs = range(len(base.outputs))
    results = [_mask(j for j, s in seen.items() if s.results[k]) for k in outputs]
    view, same, attached = _identity(subject, list(seen)[:1])
    return {
        "frees": _mask(j for j, s in seen.items() if s.frees),
        "saves": _trimmed([_mask(j for j, s in seen.items() if s.saves[i]) for i in range(len(base.operands))]),
        "result": results[0],
        "differentiable": _mask(seen),
        "view": view,
        "same": same,
        "outputs": len(base.outputs),
        "constants": _mask(k for k in outputs if not any(s.connected[k] for s in seen.values())) if seen else 0,
        "others": _trimmed(results[1:]),
        "attached": attached,
    }


def _identity(subject: Subject, needs: Sequence[int]) -> tuple[bool, bool, int]:
    """Whether output 0 is a view of an operand, whether it is operand 0, and the outputs `detach_()` raises on."""
    run = Run(subject, needs)
    versions = [t._version for t in run.operands]
    torch.autograd.graph.increment_version(run.outputs[0])
    view = not run.same and any(t._version != v for t, v in zip(run.operands, versions, strict=True))
    attached = []
    for k, out in enumerate(run.outputs):
        if k == 0 and (view or run.same):
            continue
        try:
            out.detach_()
        except RuntimeError:
            attached.append(k)
    return view, run.same, _mask(attached)


def _combination_errors(subject: Subject, fields: Mapping[str, Any], seen: Mapping[int, Seen]) -> Iterator[str]:
    """The sets of operands requiring grad together for which ORing the single-operand masks predicts wrongly."""
    groups: set[tuple[int, ...]] = set()
    if len(seen) <= 4:
        groups.update(combinations(seen, 2))
    parameters = tuple(j for j in subject.parameters if j in seen)
    inputs = [j for j in seen if j not in subject.parameters]
    groups.update({tuple(seen), parameters, *((j, *parameters) for j in inputs)})
    saves: tuple[int, ...] = fields["saves"]
    for group in sorted(groups):
        if len(group) < 2:
            continue
        together = _mask(group)
        found = observe(subject, group)
        if found is None:
            yield f"{group}: no graph"
            continue
        checks = [("frees", fields["frees"], found.frees), ("saves the result", fields["result"], found.results[0])]
        checks += [(f"saves {i}", saves[i] if i < len(saves) else 0, saved) for i, saved in enumerate(found.saves)]
        for what, mask, happened in checks:
            if bool(mask & together) != happened:
                yield f"{group}: {what} is {happened}"


# Operations


def _returns_list(name: str) -> bool:
    """Whether ATen declares a `Tensor[]` result, whose length depends on the arguments."""
    packet = getattr(torch.ops.aten, name, None)
    overloads = [getattr(packet, overload) for overload in packet.overloads()] if packet is not None else []
    return any("List[Tensor]" in str(result.type) for overload in overloads for result in overload._schema.returns)


def measure_operation(key: str, recipe: Recipe) -> tuple[Operation, tuple[str, ...]]:
    """The facts of a recipe, and the combinations of operands for which ORing its masks is wrong."""
    facts = measure(operation_subject(recipe))
    fields = dict(facts.fields, operands=len(recipe) - 1)
    if fields["outputs"] > 1 and _returns_list(key.partition(".")[0]):
        fields.update(outputs=0, constants=0, others=(), attached=fields["attached"] & 1)
    return Operation(**fields), facts.wrong


def _namespaces() -> Iterator[tuple[str, str, str]]:
    """(prefix of the key, prefix of the expression, function name) for every public function of PyTorch."""
    functions = [n for n in dir(torch._C._VariableFunctions) if hasattr(torch, n)] + list(torch.functional.__all__)
    spaces: tuple[tuple[str, str, Sequence[str]], ...] = (
        ("", "torch.", functions),
        ("Tensor.", "torch.Tensor.", dir(torch.Tensor)),
        ("nn.functional.", "F.", dir(F)),
        ("linalg.", "torch.linalg.", dir(torch.linalg)),
        ("special.", "torch.special.", dir(torch.special)),
        ("fft.", "torch.fft.", dir(torch.fft)),
    )
    skipped = set(recipes.SKIPPED.split())
    for key, expression, names in spaces:
        for name in sorted(set(names)):
            if name.startswith(recipes.SKIPPED_PREFIXES) or name in skipped:
                continue
            if callable(eval(expression + name, dict(_SCOPE))):
                yield key, expression, name


class Measured(NamedTuple):
    """An operation's facts with the call they come from."""

    operation: Operation
    wrong: tuple[str, ...]
    recipe: Recipe


def _best_template(key: str, function: str) -> Measured | None:
    """The first template under which the function is differentiable, else the first under which it returns a tensor."""
    fallback: Measured | None = None
    for arguments, *specs in recipes.TEMPLATES:
        recipe = (f"{function}({arguments})", *specs)
        try:
            measured = Measured(*measure_operation(key, recipe), recipe)
        except Unmeasurable:
            continue
        if measured.operation.differentiable:
            return measured
        fallback = fallback or measured
    return fallback


def _found_by_templates(known: set[str]) -> dict[str, Measured]:
    """Measure every public function that some template of recipes.py fits, except the keys in `known`."""
    found: dict[str, Measured] = {}
    skip = known | {key.removesuffix(".train") for key in known}
    for prefix, expression, name in _namespaces():
        key = prefix + name if prefix in ("linalg.", "special.", "fft.") else name
        if key in skip or (best := _best_template(key, expression + name)) is None:
            continue
        if key not in found:
            found[key] = best
            scalar = (f"{expression}{name}(a, 1.5)", best.recipe[1])
            if best.recipe[0].endswith("(a, b)") and f"{key}.scalar" not in known:
                with suppress(Unmeasurable):
                    found[f"{key}.scalar"] = Measured(*measure_operation(key, scalar), scalar)
        elif best.operation != found[key].operation and best.recipe[1:] == found[key].recipe[1:]:
            found[prefix + name] = best
    return found


def operations() -> dict[str, Measured]:
    """All operations: those of recipes.py, then what the templates find."""
    measured: dict[str, Measured] = {}
    for name, recipe in recipes.OPERATIONS.items():
        try:
            measured[name] = Measured(*measure_operation(name, recipe), recipe)
        except Unmeasurable as error:
            print(f"{name}: not measured: {str(error).splitlines()[0]}", file=sys.stderr)
    return {**measured, **_found_by_templates(set(recipes.OPERATIONS))}


# Layers


def measure_layer(recipe: Recipe, train: bool) -> tuple[Layer, tuple[str, ...]]:
    """The facts of a layer in one mode, and the combinations of operands for which ORing its masks is wrong."""
    try:
        subject = layer_subject(recipe, train)
        torch.manual_seed(0)
        layer: nn.Module = eval(recipe[0], dict(_SCOPE))
        if isinstance(layer, nn.modules.lazy.LazyModuleMixin):
            layer(*[operand(spec) for spec in recipe[2:]])
    except _FAILURES as error:
        raise Unmeasurable(str(error)) from error
    facts = measure(subject)
    parameters, buffers = _parameters_and_buffers(layer)
    fields = dict(facts.fields, inputs=len(recipe) - 2, parameters=tuple(parameters), buffers=tuple(buffers))
    return Layer(**fields), facts.wrong


_RANKS = {"1d": 2, "2d": 3, "3d": 4}
"""How many `x` the batched input shape of a layer has whose name ends so."""


def _layer_recipe(name: str) -> Recipe | None:
    """The first constructor and input under which the layer is differentiable in its first input."""
    for constructor in layer_recipes.CONSTRUCTORS:
        for specs in layer_recipes.INPUTS:
            if name[-2:] in _RANKS and specs[0].count("x") != _RANKS[name[-2:]]:
                continue
            recipe = (f"nn.{name}({constructor})", "", *specs)
            with suppress(Unmeasurable):
                if measure_layer(recipe, True)[0].differentiable & 1:
                    return recipe
    return None


def layers() -> dict[str, tuple[Layer, tuple[str, ...], Recipe]]:
    """Every layer of torch.nn in train mode, and as `Key.eval` where eval mode differs."""
    wanted = dict(layer_recipes.LAYERS)
    for name in dir(nn):
        kind = getattr(nn, name)
        if (
            not inspect.isclass(kind)
            or not issubclass(kind, nn.Module)
            or name in wanted
            or name in layer_recipes.EXCLUDED
        ):
            continue
        recipe = _layer_recipe(name)
        if recipe is None:
            print(f"nn.{name}: no template fits", file=sys.stderr)
        else:
            wanted[name] = recipe
    measured: dict[str, tuple[Layer, tuple[str, ...], Recipe]] = {}
    for key, recipe in wanted.items():
        try:
            train, wrong = measure_layer(recipe, True)
            measured[key] = (train, wrong, recipe)
            evaluated, wrong = measure_layer(recipe, False)
        except Unmeasurable as error:
            print(f"nn {key}: not measured: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        if evaluated != train:
            measured[f"{key}.eval"] = (evaluated, wrong, recipe)
    return measured


# Optimizers


def measure_optimizer(kind: type[torch.optim.Optimizer]) -> Optimizer:
    """Step a small model once per way of calling `step`."""
    arguments = inspect.signature(kind).parameters
    options = {"max_iter": 4} if "max_iter" in arguments else {}
    calls = 0

    def bumps(options: Mapping[str, Any], closure: bool) -> bool:
        parameter = nn.Parameter(torch.rand(2, 2))
        optimizer = kind([parameter], **options)

        def loss() -> Tensor:
            nonlocal calls
            calls += 1
            optimizer.zero_grad()
            value = (parameter.exp() + parameter**4).sum()
            value.backward()  # type: ignore[no-untyped-call]
            if kind is torch.optim.SparseAdam:
                parameter.grad = parameter.grad.to_sparse() if parameter.grad is not None else None
            return value

        if not closure:
            loss()
        before = parameter._version
        optimizer.step(loss if closure else None)  # type: ignore[arg-type]
        return parameter._version > before

    try:
        default, needs_closure = bumps(options, False), False
    except TypeError:
        default, needs_closure = bumps(options, True), True
    calls = 0
    bumps(options, True)
    closure_calls = calls
    fused = bumps({**options, "fused": True}, False) if "fused" in arguments else None
    return Optimizer(default, fused, needs_closure, closure_calls)


def optimizers() -> dict[str, Optimizer]:
    """Every class of torch.optim."""
    kinds = {name: getattr(torch.optim, name) for name in dir(torch.optim) if name != "Optimizer"}
    return {
        n: measure_optimizer(k) for n, k in kinds.items() if inspect.isclass(k) and issubclass(k, torch.optim.Optimizer)
    }


# Writing the tables


def render_operations() -> str:
    """The text of operations.py."""
    found = operations()
    rows = {name: (m.operation, " | ".join(m.recipe)) for name, m in found.items()}
    return tables.render("operations", torch.__version__, rows, {name: m.wrong for name, m in found.items()})


def render_layers() -> str:
    """The text of layers.py."""
    found = layers()
    rows = {name: (layer, " | ".join(recipe)) for name, (layer, _, recipe) in found.items()}
    return tables.render("layers", torch.__version__, rows, {name: wrong for name, (_, wrong, _) in found.items()})


def render_optimizers() -> str:
    """The text of optimizer_table.py."""
    return tables.render("optimizers", torch.__version__, {name: (o, "") for name, o in optimizers().items()}, None)


TABLES: dict[str, Callable[[], str]] = {
    "operations.py": render_operations,
    "layers.py": render_layers,
    "optimizer_table.py": render_optimizers,
}


def main() -> int:
    """Print the tables, or write them next to this file."""
    parser = argparse.ArgumentParser(description="Measure the installed PyTorch and generate its facts.")
    parser.add_argument("--write", action="store_true", help="rewrite the tables in this folder")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for file, render in TABLES.items():
        text = render()
        if arguments.write:
            Path(__file__).with_name(file).write_text(text, encoding="utf-8")
        else:
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
