"""Measures what PyTorch's operations and layers do to the graph and writes the generated tables of this folder.

Run `python -m secondpass.pytorch.measure --write` to measure the installed PyTorch and rewrite `operations.py` and
`layers.py`, or without `--write` to print them. Every fact is the outcome of a real call followed by real walks: small
operands are built, one of them requires grad, the operation is called, and then

- walked twice: does the second walk raise?
- called again, one operand's or result's version raised between forward and backward: does the backward raise?

This generator and the recorder are the only files of the analysis that import PyTorch.
"""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from secondpass.pytorch import recipes
from secondpass.pytorch.operation_facts import Operation
from secondpass.pytorch.recipes import Recipe

COMMAND = "python -m secondpass.pytorch.measure --write"
NAMES = "abcdefgh"
SECOND_TIME = "backward through the graph a second time"
INPLACE = "modified by an inplace operation"

_FAILURES = (
    RuntimeError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    NotImplementedError,
    KeyError,
    AssertionError,
)


class Unmeasurable(Exception):
    """The call cannot be measured: it fails, returns no tensor, or its backward is not implemented."""


def setitem(target: Tensor, index: Any, value: Any) -> Tensor:
    """`target[index] = value` as an expression."""
    target[index] = value
    return target


_SCOPE: dict[str, Any] = {"torch": torch, "nn": nn, "F": F, "setitem": setitem}


def operand(spec: str) -> Tensor:
    """Build the operand that a recipe's text describes (see recipes.py)."""
    shape_text, _, kind = spec.partition(":")
    shape = [] if shape_text == "x" else [int(size) for size in shape_text.split("x")]
    if kind == "spd":
        root = torch.rand(shape)
        return root @ root.T + 3 * torch.diag(torch.arange(1.0, shape[0] + 1))
    if kind == "complex":
        return torch.rand(shape, dtype=torch.complex64)
    if kind == "long":
        return (torch.arange(math.prod(shape)) % 2).reshape(shape)
    if kind == "long:one":
        return torch.ones(shape, dtype=torch.long)
    if kind == "long:perm":
        return torch.arange(math.prod(shape)).reshape(shape)
    if kind == "int":
        return torch.arange(1, math.prod(shape) + 1, dtype=torch.int32).reshape(shape)
    if kind == "bool":
        return (torch.arange(math.prod(shape)) % 2 == 0).reshape(shape)
    return torch.rand(shape) * 0.6 + 0.2


def tensors(value: Any) -> Iterator[Tensor]:
    """The tensors of a call's result, in order, out of any tuples, lists and packed sequences."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors(item)


class Run:
    """One call of a recipe with the operands of `needs` requiring grad. Operands are non-leaves, so in-place is legal."""

    def __init__(self, call: Callable[..., Any], specs: Sequence[str], needs: Sequence[int]) -> None:
        torch.manual_seed(0)
        self.operands = [operand(spec) for spec in specs]
        for j in needs:
            self.operands[j] = self.operands[j].requires_grad_().clone()
        self.before = self.operands[0]._version if self.operands else 0
        self.value = call(*self.operands)
        self.outputs = list(tensors(self.value))
        if not self.outputs:
            raise Unmeasurable("returns no tensor")
        self.connected = [out for out in self.outputs if out.requires_grad and out.grad_fn is not None]

    def walk(self) -> str:
        """Walk backward from every output; "" if fine, else PyTorch's message."""
        try:
            torch.autograd.backward(self.connected, [torch.ones_like(out) for out in self.connected])
        except RuntimeError as error:
            return str(error)
        return ""


def _facts(call: Callable[..., Any], specs: Sequence[str], needs: Sequence[int]) -> dict[str, Any] | None:
    """What happens when exactly `needs` require grad; None if the outputs then need no grad."""
    try:
        run = Run(call, specs, needs)
    except RuntimeError as error:
        if "not differentiable with respect to argument" in str(error):
            return None
        raise
    if not run.connected:
        return None
    first = run.walk()
    if "is not implemented" in first:
        return None
    own = INPLACE in first
    if first and not own:
        raise Unmeasurable(first)
    second = "" if own else run.walk()
    if second and SECOND_TIME not in second:
        raise Unmeasurable(second)
    changed = run.outputs[0] is run.operands[0] and run.operands[0]._version > run.before

    def bumped(pick: Callable[[Run], Tensor]) -> bool:
        again = Run(call, specs, needs)
        torch.autograd.graph.increment_version(pick(again))
        return INPLACE in again.walk()

    saved = [False] * len(specs)
    results = [False] * len(run.outputs)
    for i in range(len(specs)):
        saved[i] = own if i == 0 and changed else not own and bumped(lambda again, i=i: again.operands[i])  # type: ignore[misc]
    for k in range(len(run.outputs)):
        results[k] = not own and bumped(lambda again, k=k: again.outputs[k])  # type: ignore[misc]
    constant = [not (out.requires_grad and out.grad_fn is not None) for out in run.outputs]
    return {"frees": bool(second), "saves": saved, "results": results, "constant": constant}


def _returns_list(name: str) -> bool:
    """Whether ATen declares a `Tensor[]` result, whose length depends on the arguments."""
    packet = getattr(torch.ops.aten, name, None)
    if packet is None:
        return False
    return any(
        "Tensor[]" in str(r.type) or "List[Tensor]" in str(r.type)
        for o in packet.overloads()
        for r in getattr(packet, o)._schema.returns
    )


def _shape_facts(call: Callable[..., Any], specs: Sequence[str], needs: Sequence[int]) -> tuple[bool, bool, bool]:
    """(view, same, attached) of output 0."""
    run = Run(call, specs, needs)
    out = run.outputs[0]
    if run.operands and out is run.operands[0]:
        return False, True, False
    versions = [t._version for t in run.operands]
    torch.autograd.graph.increment_version(out)
    if any(t._version != v for t, v in zip(run.operands, versions, strict=True)):
        return True, False, False
    try:
        out.detach_()
    except RuntimeError:
        return False, False, True
    return False, False, False


def _mask(bits: Sequence[bool]) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)


def measure(name: str, call: Callable[..., Any], specs: Sequence[str]) -> tuple[Operation, tuple[str, ...]]:
    """Measure one call; also returns the combinations of operands for which ORing the masks was wrong.

    Raises `Unmeasurable` if the call fails, returns no tensor or has no backward.
    """
    try:
        return _measure(name, call, specs)
    except _FAILURES as error:
        raise Unmeasurable(f"{type(error).__name__}: {error}") from error


def _measure(name: str, call: Callable[..., Any], specs: Sequence[str]) -> tuple[Operation, tuple[str, ...]]:
    floating = [i for i, s in enumerate(specs) if s.partition(":")[2] in ("", "spd", "complex")]
    base = Run(call, specs, ())
    count = len(base.outputs)
    single = {j: f for j in floating if (f := _facts(call, specs, (j,))) is not None}

    def gather(bit: Callable[[dict[str, Any]], bool]) -> int:
        return sum(1 << j for j, facts in single.items() if bit(facts))

    saves = [gather(lambda f, i=i: f["saves"][i]) for i in range(len(specs))]  # type: ignore[misc]
    results = [gather(lambda f, k=k: f["results"][k]) for k in range(count)]  # type: ignore[misc]
    constants = _mask([all(f["constant"][k] for f in single.values()) for k in range(count)]) if single else 0
    view, same, attached = _shape_facts(call, specs, list(single)[:1])
    unknown = not isinstance(base.value, Tensor) and _returns_list(name.partition(".")[0])
    operation = Operation(
        frees=gather(lambda f: f["frees"]),
        saves=_trimmed(saves),
        result=results[0],
        differentiable=_mask_of(single),
        view=view,
        same=same,
        outputs=0 if unknown else count,
        operands=len(specs),
        constants=0 if unknown else constants,
        others=() if unknown else _trimmed(results[1:]),
        attached=attached,
    )
    return operation, tuple(_combination_errors(operation, call, specs, list(single)))


def _mask_of(indices: Sequence[int] | dict[int, Any]) -> int:
    return sum(1 << j for j in indices)


def _trimmed(masks: Sequence[int]) -> tuple[int, ...]:
    """Without the zeros at the end."""
    kept = list(masks)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def _combination_errors(
    facts: Operation, call: Callable[..., Any], specs: Sequence[str], floating: list[int]
) -> Iterator[str]:
    """Pairs of operands, and all of them together, for which ORing the single-operand masks predicts wrongly."""
    groups = list(combinations(floating, 2)) if len(floating) <= 4 else []
    if len(floating) > 2:
        groups.append(tuple(floating))
    for group in groups:
        together = _mask_of(group)
        seen = _facts(call, specs, group)
        if seen is None:
            yield f"{group}: cuts"
            continue
        expected = [("frees", bool(facts.frees & together), seen["frees"])]
        for i in range(len(specs)):
            mask = facts.saves[i] if i < len(facts.saves) else 0
            expected.append((f"saves operand {i}", bool(mask & together), seen["saves"][i]))
        expected.append(("saves result", bool(facts.result & together), seen["results"][0]))
        for what, predicted, measured in expected:
            if predicted != measured:
                yield f"operands {group} together: {what} is {measured}"


def compile_recipe(recipe: Recipe) -> Callable[..., Any]:
    """The function of the recipe's expression."""
    expression, *specs = recipe
    parameters = ", ".join(NAMES[: len(specs)])
    return eval(f"lambda {parameters}: {expression}", dict(_SCOPE))  # type: ignore[no-any-return]


_PRIVATE_PREFIXES = ("_", "cudnn_", "miopen_", "mkldnn_", "fbgemm_", "quantized_", "q_", "is_", "set_", "get_", "has_")
_NOT_OPERATIONS = frozenset(
    "apply_ map_ map2_ backward register_hook retain_grad share_memory_ pin_memory cuda xpu ipu hpu mtia numpy tolist item "
    "storage storage_type untyped_storage typed_storage data_ptr module_load requires_grad_ from_file set_ resize_ "
    "resize_as_ resize resize_as resize_sparse_ sparse_resize_ sparse_resize_and_clear_ register_post_accumulate_grad_hook "
    "reinforce split refine_names rename rename_ names align_to align_as to_mkldnn record_stream manual_seed tensor "
    "from_numpy frombuffer from_dlpack Tensor boolean_dispatch assert_int_or_pair handle_torch_function has_torch_function "
    "grad index unsafe_chunk dtype_abbrs pack_padded_sequence chalf dlpack".split()
)


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
    for key, expression, names in spaces:
        for name in sorted(set(names)):
            if name.startswith(_PRIVATE_PREFIXES) or name in _NOT_OPERATIONS:
                continue
            if callable(eval(expression + name, dict(_SCOPE))):
                yield key, expression, name


def found_by_templates(known: set[str]) -> dict[str, tuple[Operation, tuple[str, ...], Recipe]]:
    """Measure every public function that some template of recipes.py fits, except the keys in `known`."""
    found: dict[str, tuple[Operation, tuple[str, ...], Recipe]] = {}
    skip = known | {key.removesuffix(".train") for key in known}
    for prefix, expression, name in _namespaces():
        dotted = prefix in ("linalg.", "special.", "fft.")
        key = prefix + name if dotted else name
        if key in skip:
            continue
        best = _best_template(key, expression + name)
        if best is None:
            continue
        if key not in found:
            found[key] = best
            scalar = (f"{expression}{name}(a, 1.5)", best[2][1])
            if best[2][0].endswith("(a, b)") and len(best[2]) == 3 and f"{key}.scalar" not in known:
                try:
                    found[f"{key}.scalar"] = (*measure(key, compile_recipe(scalar), scalar[1:]), scalar)
                except Unmeasurable:
                    pass
        elif best[0] != found[key][0] and best[2][1:] == found[key][2][1:]:
            found[prefix + name] = best
    return found


def _best_template(key: str, function: str) -> tuple[Operation, tuple[str, ...], Recipe] | None:
    """The first template under which the function is differentiable, else the first under which it returns a tensor."""
    fallback: tuple[Operation, tuple[str, ...], Recipe] | None = None
    for arguments, *specs in recipes.TEMPLATES:
        recipe = (f"{function}({arguments})", *specs)
        try:
            measured = (*measure(key, compile_recipe(recipe), specs), recipe)
        except Unmeasurable:
            continue
        if measured[0].differentiable:
            return measured
        fallback = fallback or measured
    return fallback


def operations() -> tuple[dict[str, Operation], dict[str, tuple[str, ...]], dict[str, Recipe]]:
    """All operations: facts, combinations that do not OR, and the call that was measured."""
    facts: dict[str, Operation] = {}
    exceptions: dict[str, tuple[str, ...]] = {}
    calls: dict[str, Recipe] = {}
    for name, recipe in recipes.OPERATIONS.items():
        try:
            facts[name], wrong = measure(name, compile_recipe(recipe), recipe[1:])
        except Unmeasurable as error:
            print(f"{name}: not measured: {error}", file=sys.stderr)
            continue
        calls[name] = recipe
        if wrong:
            exceptions[name] = wrong
    for name, (operation, wrong, recipe) in found_by_templates(set(recipes.OPERATIONS)).items():
        facts[name], calls[name] = operation, recipe
        if wrong:
            exceptions[name] = wrong
    return facts, exceptions, calls


def entry(value: Any) -> str:
    """A NamedTuple as source text, without the fields that are at their default."""
    fields = [(n, v) for n, v in value._asdict().items() if v != value._field_defaults.get(n, object())]
    return f"{type(value).__name__}({', '.join(f'{n}={v!r}' for n, v in fields)})".replace("'", '"')


def render_operations() -> str:
    """The text of operations.py."""
    facts, exceptions, calls = operations()
    lines = [
        '"""PyTorch\'s operations, measured. Generated, do not edit: `' + COMMAND + "`.",
        "",
        f"Measured on torch {torch.__version__}. The fields are explained in operation_facts.py.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from secondpass.pytorch.operation_facts import Operation",
        "",
        f'TORCH = "{torch.__version__}"',
        "",
        "# fmt: off",
        "OPERATIONS: dict[str, Operation] = {",
        *(f'    "{name}": {entry(facts[name])},  # {calls[name][0]}' for name in sorted(facts)),
        "}",
        "",
        "EXCEPTIONS: dict[str, tuple[str, ...]] = {",
        *(f'    "{name}": {exceptions[name]!r},'.replace("'", '"') for name in sorted(exceptions)),
        "}",
        '"""Combinations of operands requiring grad for which ORing the masks is wrong."""',
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Print the tables, or write them next to this file."""
    parser = argparse.ArgumentParser(description="Measure the installed PyTorch and generate its facts.")
    parser.add_argument("--write", action="store_true", help="rewrite operations.py and layers.py")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    here = Path(__file__).parent
    for file, render in (("operations.py", render_operations),):
        text = render()
        if arguments.write:
            (here / file).write_text(text, encoding="utf-8")
        else:
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
