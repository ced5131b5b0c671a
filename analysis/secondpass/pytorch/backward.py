"""What walks the graph: `backward`, `autograd.grad`, and a custom Function's own backward."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from secondpass.machine.autograd import gradients_for, node_of, walk
from secondpass.machine.containers import MOST
from secondpass.machine.graph import Failure, Node, Storage, Walk
from secondpass.machine.native import Native
from secondpass.machine.values import (
    MISSING,
    Builtin,
    Class,
    Function,
    Iter,
    Obj,
    Raised,
    Seq,
    Static,
    Tensor,
    Unknown,
    V,
)
from secondpass.pytorch.operands import flag, operands_in

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


def _retain(m: Machine, kwargs: dict[str, V], create: bool, site: ast.AST) -> bool:
    """`retain_graph`: its default is `create_graph`.

    One that hangs on what is not known (`i + 1 < n`) is there to be right: the graph is kept for as long as is needed.
    """
    value = kwargs.get("retain_graph")
    if type(value) is Unknown and m.truth(value) is None and m.belief(value) is None:
        return True
    return flag(m, value, site, create)


def _retain_site(site: ast.AST) -> ast.AST | None:
    if isinstance(site, ast.Call):
        for keyword in site.keywords:
            if keyword.arg == "retain_graph":
                keyword.unit = site.unit  # type: ignore[attr-defined]
                return keyword
    return None


def _listed(value: V) -> list[V]:
    if type(value) is Seq:
        return list(value.items)
    if type(value) is Iter:
        return list(islice(value.source, 3 if value.endless else MOST))
    return [value]


def backward(m: Machine, roots: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`loss.backward(...)` and `torch.autograd.backward([...])`."""
    tensors = [r for r in roots if type(r) is Tensor]
    if not tensors or all(t.node is None and not t.parameter for t in tensors):
        lost(m, roots, site)
    if not tensors:
        return None
    if "retain_variables" in kwargs:
        raise Raised("backward() got an unexpected keyword argument 'retain_variables'", "TypeError")
    create = flag(m, kwargs.get("create_graph"), site, False)
    retain = _retain(m, kwargs, create, site)
    inputs = kwargs.get("inputs")
    wanted = operands_in(_listed(inputs)) if inputs is not None else None
    seeds = operands_in([kwargs["gradient"]]) if kwargs.get("gradient") is not None else []
    walk(m, tensors, site, retain=retain, create=create, inputs=wanted, retain_site=_retain_site(site), seeds=seeds)
    return None


def autograd_backward(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`torch.autograd.backward(tensors, grad_tensors, retain_graph, create_graph, inputs=)`."""
    named = dict(
        zip(("tensors", "gradient", "retain_graph", "create_graph", "grad_variables", "inputs"), args, strict=False)
    )
    named.update(kwargs)
    return backward(m, operands_in(_listed(named.get("tensors"))), named, site)


def autograd_grad(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`torch.autograd.grad(outputs, inputs, grad_outputs, retain_graph, ...)`: consumes like a backward."""
    names = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs", "allow_unused")
    named = dict(zip(names, args, strict=False))
    named.update(kwargs)
    outputs = operands_in(_listed(named.get("outputs")))
    inputs = _listed(named.get("inputs"))
    create = flag(m, named.get("create_graph"), site, False)
    retain = _retain(m, named, create, site)
    wanted = [t for t in inputs if type(t) is Tensor]
    if not outputs or not wanted:
        lost(m, [named.get("outputs") if not outputs else named.get("inputs")], site)
        return Unknown("data", "grad") if not inputs else Seq("tuple", [Tensor() for _ in inputs])
    seeds = operands_in([named["grad_outputs"]]) if named.get("grad_outputs") is not None else []
    found = walk(
        m,
        outputs,
        site,
        retain=retain,
        create=create,
        inputs=wanted,
        above_inputs_only=True,
        retain_site=_retain_site(site),
        seeds=seeds,
    )
    made = gradients_for(m, found, inputs)
    for t, g in zip(inputs, made, strict=True):
        if type(t) is Tensor and type(g) is Tensor:
            g.shape = t.shape
    if any(g is None for g in made) and named.get("allow_unused") is None:
        m.record.rootless.append(site)
        made = [Tensor() if g is None else g for g in made]
    return Seq("tuple", made)


def lost(m: Machine, roots: list[V], site: ast.AST) -> None:
    """A walk whose graph is not seen: note why, so that nobody takes silence for an answer."""
    unseen = next((root for root in roots if type(root) is Unknown), None)
    if unseen is not None and unseen.label:
        why = f"`{unseen.label}` is not seen"
    elif unseen is not None or not roots:
        why = "where its graph comes from is not seen"
    else:
        why = "what is walked has no graph, as far as is seen"
    m.record.lost.append((site, why))


class Context(Native):
    """`ctx` of a custom Function."""

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name in ("save_for_backward", "save_for_forward"):
            obj.attrs["@saved"] = Seq("tuple", list(args))
            obj.attrs["@versions"] = [(t.storage, t.storage.version) for t in args if type(t) is Tensor]
            return None
        if name in ("mark_dirty", "mark_non_differentiable", "set_materialize_grads"):
            return None
        return MISSING

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("saved_tensors", "saved_variables"):
            node: Node | None = obj.attrs.get("@node")
            walk_: Walk | None = obj.attrs.get("@walk")
            if node is not None and walk_ is not None:
                if node.consumed is not None:
                    m.fail(Failure("second-time", node, walk_, [*walk_.roots[:1], node], None, site))
                versions: list[tuple[Storage, int]] = obj.attrs.get("@versions", [])
                for storage, version in versions:
                    if storage.version != version:
                        m.fail(Failure("inplace-version", node, walk_, [*walk_.roots[:1], node], storage, site))
            return obj.attrs.get("@saved", Seq("tuple", []))
        if name == "needs_input_grad":
            return Seq("tuple", [True] * 8, True)
        return MISSING


_CONTEXT = Class("FunctionCtx", [], {}, Context())


class AutogradFunction(Native):
    """`torch.autograd.Function`."""

    name = "torch.autograd.Function"

    def class_attribute(self, m: Machine, cls: Class, name: str, site: ast.AST) -> V:
        if name == "apply":
            return Builtin("apply", lambda m, args, kwargs, site: apply(m, cls, args, kwargs, site))
        return MISSING


def _plain(found: V) -> V:
    return found.func if type(found) is Static else found


def apply(m: Machine, cls: Class, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`MyFunction.apply(...)`: its forward runs without recording; one node stands for the whole of it."""
    forward, setup = _plain(cls.lookup("forward")), _plain(cls.lookup("setup_context"))
    ctx = Obj(_CONTEXT)
    inputs = [n for t in operands_in(args, 0) if (n := node_of(m, t)) is not None]
    mode, m.grad_mode = m.grad_mode, False
    try:
        if type(forward) is not Function:
            output: V = Tensor()
        elif type(setup) is Function:
            output = m.call(forward, args, kwargs, site)
            m.call(setup, [ctx, Seq("tuple", args), output], {}, site)
        else:
            output = m.call(forward, [ctx, *args], kwargs, site)
    finally:
        m.grad_mode = mode
    if not m.grad_mode or not inputs:
        return output
    node = m.new_node(cls.name, site, inputs, type(forward) is not Function)
    ctx.attrs["@node"] = node
    node.context = (cls, ctx)
    node.eventful = True
    if type(output) is Seq:
        return Seq("tuple", [_output(t, node) for t in output.items])
    return _output(output, node)


def _output(value: V, node: Node) -> V:
    if type(value) is not Tensor:
        return value
    return Tensor(node, value.storage, value.shape)


def run_function_backward(m: Machine, node: Node, this: Walk) -> None:
    """A walk reaches a custom Function: run the user's backward; only what it reads of `saved_tensors` can raise."""
    cls, ctx = node.context
    run = _plain(cls.lookup("backward"))
    if type(run) is not Function:
        return
    ctx.attrs["@walk"] = this
    mode, m.grad_mode = m.grad_mode, this.create
    try:
        m.call(run, [ctx, Tensor(), Tensor(), Tensor()][: max(2, len(run.params.names))], {}, this.site)
    except Raised as raised:
        if isinstance(raised.value, Failure):
            raise
    finally:
        m.grad_mode = mode
        ctx.attrs["@walk"] = None
