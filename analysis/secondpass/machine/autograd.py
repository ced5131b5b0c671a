"""Autograd without numbers: recording operations, changing tensors in place, walking the graph.

`record_op` is what every operation comes down to, `walk` what every backward comes down to. Which operand an operation
saves is measured (pytorch/operations.py) and arrives here as bit masks: bit j stands for "operand j requires grad".
"""

from __future__ import annotations

import ast
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Protocol

from secondpass.machine.graph import Failure, Leaf, Node, Saved, Walk, reaching
from secondpass.machine.values import Raised, Tensor, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

RESULT = -1
"""In `Node.saved`: the operation saved its own result."""
CONSTANT = -2
"""In `Node.saved`: the operation saved an operand that has no graph."""


INTO = ("CopySlices", "IndexPutBackward0")
"""Operations that write into a part of a tensor."""


class Facts(Protocol):
    """What is measured of one operation (see pytorch/operation_facts.py)."""

    @property
    def frees(self) -> int: ...
    @property
    def saves(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> int: ...
    @property
    def differentiable(self) -> int: ...
    @property
    def view(self) -> bool: ...
    @property
    def operands(self) -> int: ...


def node_of(m: Machine, t: Tensor) -> Node | Leaf | None:
    """The node behind a tensor now. A view of a base that was changed in place since follows the base's new history."""
    base = t.base
    if base is not None and t.epoch != base.epoch:
        t.epoch = base.epoch
        below = base.node
        t.node = (
            None
            if below is None
            else m.new_node("AsStridedBackward0", below.site if type(below) is Node else m.site, [below], False)
        )
    return t.node


def record_op(m: Machine, name: str, fact: Facts, operands: list[Tensor], site: ast.AST) -> Tensor:
    """The result of an operation on tensors, with a new node if one of them requires grad and grad mode is on."""
    result = Tensor()
    if fact.view and operands:
        first = operands[0]
        result.storage = first.storage
        result.base = first.base or first
        result.epoch = result.base.epoch
    if m.grad_mode:
        mask = 0
        bit = 1
        inputs: list[Node | Leaf] = []
        bits: list[int] = []
        top = 1 << max(fact.operands - 1, 0)
        for t in operands:
            n = t.node if t.base is None else node_of(m, t)
            if n is not None:
                mask |= bit
                if fact.differentiable & bit:  # `a.view_as(b)` leads to `a` alone
                    inputs.append(n)
                    bits.append(bit)
            if bit < top:
                bit <<= 1
        if mask & fact.differentiable:
            node = m.new_node(name, site, inputs, bool(fact.frees & mask))
            saved = _saved(m, fact, mask, operands, inputs)
            if fact.result & mask:
                saved.append((result.storage, result.storage.version, result.storage.silent, RESULT, fact.result))
            if saved:
                node.saved = saved
                node.bits = bits
                node.eventful = True
            result.node = node
    return result


def _saved(m: Machine, fact: Facts, mask: int, operands: list[Tensor], inputs: list[Node | Leaf]) -> list[Saved]:
    saved: list[Saved] = []
    saves, last = fact.saves, fact.operands - 1
    if not saves:
        return saved
    for i, t in enumerate(operands):
        k = i if i < last else last
        if k < len(saves) and saves[k] & mask:
            where = inputs.index(t.node) if t.node is not None and t.node in inputs else CONSTANT
            saved.append((t.storage, t.storage.version, t.storage.silent, where, saves[k]))
    return saved


def change_in_place(m: Machine, t: Tensor, name: str, fact: Facts, others: list[Tensor], site: ast.AST) -> Tensor:
    """An operation that writes into `t`: rebases its history and moves its version on."""
    before = node_of(m, t)
    if m.grad_mode:
        if type(before) is Leaf:
            raise Raised("a leaf that requires grad is changed in place", "RuntimeError")
        mask = 0
        inputs: list[Node | Leaf] = []
        for i, operand in enumerate([t, *others]):
            n = node_of(m, operand)
            if n is not None:
                mask |= 1 << min(i, max(fact.operands - 1, 0))
                inputs.append(n)
        if mask and (mask & fact.differentiable or before is not None):
            saved = _saved(m, fact, mask, [t, *others], inputs)
            if t.base is not None:
                base = t.base
                node = m.new_node(
                    "CopySlices",
                    site,
                    inputs if base.node is None or base.node in inputs else [base.node, *inputs],
                    True,
                )
                base.node = node
                base.epoch += 1
                t.epoch = base.epoch
                t.node = m.new_node("AsStridedBackward0", site, [node], False)
            else:
                node = m.new_node(name, site, inputs, bool(fact.frees & mask))
                t.node = node
                t.epoch += 1
            m.bump(t.storage, site)
            if fact.result & mask:
                saved.append((t.storage, t.storage.version, t.storage.silent, RESULT, fact.result))
            if saved:
                node.saved = saved
                node.eventful = True
            written = t if t.base is None else t.base
            m.note_store("in-place", site, t.storage, written, part=t.base is not None or name in INTO)
            return t
    m.bump(t.storage, site)
    return t


def detach_in_place(m: Machine, t: Tensor, site: ast.AST | None = None) -> Tensor:
    """`t.detach_()`: raises on a view of a tensor with history; every alias of `t` loses its graph."""
    if t.base is not None and node_of(m, t) is not None:
        raise Raised("can't detach views in-place", "RuntimeError")
    m.detached(t, site)
    t.node = None
    return t


def walk(
    m: Machine,
    roots: list[Tensor],
    site: ast.AST,
    *,
    retain: bool,
    create: bool,
    inputs: list[Tensor] | None = None,
    above_inputs_only: bool = False,
    retain_site: ast.AST | None = None,
    seeds: list[Tensor] | None = None,
) -> dict[Node | Leaf, Tensor]:
    """Execute a backward: consume nodes, or raise as PyTorch would.

    `inputs` restricts the walk to paths that reach them; with `above_inputs_only` (autograd.grad) their own nodes are
    not executed. Returns the gradient that arrives at each leaf and at each of `inputs`.
    """
    start: list[Node | Leaf] = []
    for t in roots:
        n = node_of(m, t)
        if n is not None:
            start.append(n)
    m.seq += 1
    this = Walk(site, m.iterations, m.chain, retain, create, start, len(m.walks), retain_site, seq=m.seq)
    if len(start) < len(roots):
        # PyTorch raises for each that does not require grad. Here it may be that its history is not known.
        m.record.rootless.append(site)
    if not start:
        return {}
    m.walks.append(this)
    allowed: set[Node | Leaf] | None = None
    stops: set[Node | Leaf] = set()
    if inputs is not None:
        targets = {n for t in inputs if (n := node_of(m, t)) is not None}
        if any(t.node is None for t in inputs):
            m.record.rootless.append(site)
        allowed = reaching(start, targets)
        if above_inputs_only:
            stops = {n for n in targets if type(n) is Node}
    # The engine takes the ready node that was made last; leaves only receive.
    heap: list[tuple[int, Node]] = []
    parent: dict[Node | Leaf, Node | Leaf | None] = {}
    arrived: list[Node | Leaf] = []
    for n in start:
        if n not in parent and (allowed is None or n in allowed):
            parent[n] = None
            if type(n) is Node:
                heappush(heap, (-n.seq, n))
            else:
                arrived.append(n)
    second_order: list[Node | Leaf] = []
    oldest: Node | None = None
    while heap:
        node = heappop(heap)[1]
        if node.frees:
            oldest = node
        if node in stops:
            arrived.append(node)
            if allowed is not None and not any(below in allowed for below in node.inputs):
                continue
        if create or retain or node.consumed is not None or node.eventful:
            _execute(m, this, node, parent, second_order if create else None, allowed)
        else:
            this.executed += 1
            node.consumed = this
        for below in node.inputs:
            if below not in parent and (allowed is None or below in allowed):
                parent[below] = node
                if type(below) is Node:
                    heappush(heap, (-below.seq, below))
                else:
                    arrived.append(below)
    if oldest is not None:
        this.oldest = oldest.seq
    gradient = _second_order(m, this, second_order, seeds or [])
    result: dict[Node | Leaf, Tensor] = {}
    for n in arrived:
        result[n] = Tensor(gradient)
        if type(n) is Leaf and not above_inputs_only and (allowed is None or n in allowed):
            result[n].fed = (*getattr(n.tensor.grad, "fed", ()), this.order)
            n.tensor.grad = result[n]
    return result


def _execute(
    m: Machine,
    this: Walk,
    node: Node,
    parent: dict[Node | Leaf, Node | Leaf | None],
    second_order: list[Node | Leaf] | None,
    allowed: set[Node | Leaf] | None,
) -> None:
    """One node of a walk: raise if its saved tensors are gone or changed, else run it and release them."""
    this.executed += 1
    if node.consumed is not None and node.frees:
        m.fail(Failure("second-time", node, this, path_to(parent, node)))
    if node.consumed is not None and node.consumed.iterations != this.iterations:
        m.note_passed(node, node.consumed, this, parent)
    if node.saved is not None:
        for storage, version, silent, _, _ in node.saved:
            if storage.version != version:
                m.fail(Failure("inplace-version", node, this, path_to(parent, node), storage))
            if storage.silent != silent and storage.silent_writer is not None and node.retained is not None:
                m.notice(Failure("silent", node, this, path_to(parent, node), storage))
    earlier = node.retained
    if earlier is not None and node.frees:
        for keeper in node.keepers or (earlier,):
            keeper.needed = keeper.needed or this
        if earlier.iterations != this.iterations:
            m.note_retained(node, earlier, this, parent)
    # A backward that was compiled under a plain walk gives its buffers away, and refuses to keep them from then on.
    if node.compiled is not None and not m.first_kept.setdefault(node.compiled, this.retain) and this.retain:
        m.fail(Failure("donated", node, this, path_to(parent, node)))
    if second_order is not None and node.saved is not None:
        wanted = -1
        if allowed is not None and node.bits is not None:
            wanted = sum(b for b, below in zip(node.bits, node.inputs, strict=False) if below in allowed)
        for _, _, _, where, needed in node.saved:
            if not needed & wanted:
                continue
            if where == RESULT:
                second_order.append(node)
            elif where >= 0:
                second_order.append(node.inputs[where])
    if node.context is not None:
        m.library.run_function_backward(m, node, this)
    if node.hooks:
        for hook in list(node.hooks):
            m.call(
                hook, [Tensor(_second_order(m, this, list(second_order), []) if second_order else None)], {}, this.site
            )
    # The first walk is the one to tell of: later ones may still pass through a node that saved nothing.
    if this.retain:
        if node.retained is None:
            node.retained = this
        elif node.keepers is None:
            node.keepers = [node.retained, this]
        else:
            node.keepers.append(this)
        node.eventful = True
    elif node.consumed is None:
        node.consumed = this


def _second_order(m: Machine, this: Walk, below: list[Node | Leaf], seeds: list[Tensor]) -> Node | None:
    """The node behind the gradients of a walk with `create_graph=True`: it leads back into what the walk saved."""
    if not this.create:
        return None
    inputs = list(dict.fromkeys(below)) + [n for t in seeds if (n := node_of(m, t)) is not None]
    if not inputs:
        return None
    return m.new_node("grad", this.site, inputs, True)


def path_to(parent: dict[Node | Leaf, Node | Leaf | None], node: Node | Leaf) -> list[Node | Leaf]:
    path: list[Node | Leaf] = []
    step: Node | Leaf | None = node
    while step is not None:
        path.append(step)
        step = parent[step]
    path.reverse()
    return path


def gradients_for(m: Machine, found: dict[Node | Leaf, Tensor], inputs: list[V]) -> list[V]:
    """What `autograd.grad` returns: a tensor for each input that the walk reached, None for the others."""
    out: list[V] = []
    for t in inputs:
        n = node_of(m, t) if type(t) is Tensor else None
        out.append(found.get(n) if n is not None else Tensor())
    return out
