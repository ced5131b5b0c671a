"""The autograd graph as the machine keeps it: nodes, leaves, storages, and where each came from.

A node remembers what decides the error and nothing else: its input nodes, whether it holds saved tensors that a plain
walk releases (`frees`), which storage versions it saved, and the walk that consumed it. Numbers and shapes are absent.
Facts: PyTorch releases the saved tensors of every node a plain `backward()` executes, one by one; a later walk raises
exactly when it executes a released node that had saved a tensor, or finds a saved storage at a newer version.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Iterations = tuple[tuple[ast.AST, int], ...]
"""The loops running at a moment, outermost first, each with its iteration (1 is the first)."""


class Chain:
    """The calls running at a moment: a linked list, shared by everything that happens inside the call."""

    __slots__ = ("depth", "outer", "site")

    def __init__(self, site: ast.AST, outer: Chain | None) -> None:
        self.site = site
        self.outer = outer
        self.depth: int = 1 if outer is None else outer.depth + 1

    def sites(self) -> list[ast.AST]:
        """The call expressions, outermost first."""
        found: list[ast.AST] = []
        link: Chain | None = self
        while link is not None:
            found.append(link.site)
            link = link.outer
        found.reverse()
        return found


class Storage:
    """Memory shared by a tensor, its views and its detached aliases, with autograd's version counter."""

    __slots__ = ("of", "silent", "silent_writer", "version", "writer", "writer_chain", "writer_iterations", "written")

    def __init__(self, of: Storage | None = None) -> None:
        # Behind `.data`: the storage whose memory this is, though not its version counter.
        self.of = of
        self.version = 0
        self.writer: ast.AST | None = None
        self.writer_iterations: Iterations = ()
        self.writer_chain: Chain | None = None
        self.silent = 0
        self.silent_writer: ast.AST | None = None
        # The machine's clock at the last write that autograd saw.
        self.written = 0


Saved: TypeAlias = tuple[Storage, int, int, int, int]
"""What a node saved: memory, its version and count of unseen writes then, which input it was (autograd.py), and a mask
of the operands whose gradient needs it."""


class Holder:
    """A place that holds a tensor: a name, attribute or element, as written at `site`."""

    __slots__ = ("iterations", "kind", "part", "seq", "site", "tensor", "until")

    def __init__(self, kind: str, site: ast.AST, iterations: Iterations, seq: int, tensor: int, part: bool) -> None:
        self.kind = kind
        self.site = site
        self.iterations = iterations
        self.seq = seq
        """The machine's clock then, and (`until`) when the same place was bound again; 0 if it never was."""
        self.until = 0
        self.tensor = tensor
        """Identity of the tensor: outputs of one node are different tensors."""
        self.part = part
        """Whether the tensor lies in a container that was put there."""


class Leaf:
    """The end of the graph at a tensor that requires grad by itself (AccumulateGrad). Walks never consume it."""

    __slots__ = ("chain", "holder", "optimized", "seq", "site", "tensor")

    def __init__(self, tensor: Any, site: ast.AST | None = None, chain: Chain | None = None) -> None:
        self.tensor = tensor
        # Where it was made, and in which call.
        self.site = site
        self.chain = chain
        # Whether some optimizer was given it to step.
        self.optimized = False
        self.seq = 0
        self.holder: Holder | None = None


class Node:
    """One autograd node: an operation that recorded its backward."""

    __slots__ = (
        "assumed",
        "bits",
        "chain",
        "compiled",
        "consumed",
        "context",
        "eventful",
        "frees",
        "holder",
        "holders",
        "hooks",
        "inputs",
        "iterations",
        "keepers",
        "label",
        "op",
        "retained",
        "saved",
        "seq",
        "site",
        "unseen",
    )

    def __init__(
        self,
        op: str,
        site: ast.AST,
        inputs: list[Any],
        frees: bool,
        seq: int,
        iterations: Iterations,
        chain: Chain | None,
    ) -> None:
        self.op = op
        self.site = site
        self.inputs: list[Node | Leaf] = inputs
        self.frees = frees
        self.seq = seq
        self.iterations = iterations
        self.chain = chain
        self.saved: list[Saved] | None = None
        self.bits: list[int] | None = None
        self.consumed: Walk | None = None
        self.retained: Walk | None = None
        # Every walk that kept it, where there was more than one.
        self.keepers: list[Walk] | None = None
        self.holder: Holder | None = None
        self.holders: list[Holder] | None = None
        self.context: Any = None
        self.hooks: list[Any] | None = None
        # What it takes for granted that this node is there at all.
        self.assumed: str | None = None
        # The module that is not seen whose result this is, in backticks.
        self.unseen: str | None = None
        self.label = ""
        # The compiled callable that this node is a part of.
        self.compiled: object = None
        # Whether executing it takes more than marking it: it saved versions, was retained, has hooks or a body.
        self.eventful = False


@dataclass(slots=True)
class Walk:
    """One call of `backward()` or `autograd.grad()`."""

    site: ast.AST
    iterations: Iterations
    chain: Chain | None
    retain: bool
    create: bool
    roots: list[Node | Leaf]
    order: int
    retain_site: ast.AST | None = None
    executed: int = 0
    oldest: int = 0
    """The machine's clock when the oldest node with saved tensors that it came to was made; 0 if it came to none."""
    seq: int = 0
    """The machine's clock: what was built or written before has a smaller one, what came later a greater one."""
    needed: Walk | None = None
    """The first later walk that executed a node which this walk kept alive by `retain_graph`."""


@dataclass(slots=True)
class Failure:
    """A walk that raises, before it is told."""

    kind: str
    """`second-time` or `inplace-version`, or `silent` where autograd does not notice, or `donated`."""
    node: Node
    walk: Walk
    path: list[Node | Leaf] = field(default_factory=list)
    """From the walk's root down to `node`."""
    storage: Storage | None = None
    site: ast.AST | None = None
    """Where it surfaces if not at the walk itself (a custom Function's own backward)."""


def reach(roots: list[Node | Leaf]) -> set[Node | Leaf]:
    """Every node that a walk from these roots may execute."""
    seen: set[Node | Leaf] = set(roots)
    todo = list(roots)
    while todo:
        node = todo.pop()
        if type(node) is Node:
            for below in node.inputs:
                if below not in seen:
                    seen.add(below)
                    todo.append(below)
    return seen


def reaching(roots: list[Node | Leaf], targets: set[Node | Leaf]) -> set[Node | Leaf]:
    """The nodes on some path from the roots to a target, targets included (what `inputs=` restricts a walk to)."""
    good: set[Node | Leaf] = set(targets)
    order: list[Node | Leaf] = []
    seen: set[Node | Leaf] = set()
    todo: list[tuple[Node | Leaf, bool]] = [(root, False) for root in roots]
    while todo:
        node, done = todo.pop()
        if done:
            order.append(node)
            continue
        if node in seen:
            continue
        seen.add(node)
        todo.append((node, True))
        if type(node) is Node:
            todo.extend((below, False) for below in node.inputs)
    for node in order:
        if type(node) is Node and any(below in good for below in node.inputs):
            good.add(node)
    return good & (seen | targets)
