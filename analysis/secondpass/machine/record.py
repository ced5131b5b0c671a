"""What a run leaves behind: the events from which the rules tell findings.

Nothing is reported while the machine runs. It appends to a `Record`; rules read it afterwards.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from secondpass.machine.graph import Failure, Iterations, Leaf, Node, Walk


@dataclass(slots=True)
class Choice:
    """A branch on a condition that the machine could not decide, and the side this run took."""

    site: ast.AST
    side: bool
    believed: bool = False
    """Whether one side is that of an option's default: run without arguments, the program takes it."""


@dataclass(slots=True)
class Detached:
    """A cut that was executed: `h.detach()`, `h.detach_()`."""

    site: ast.AST
    node: Node
    tensor: int
    """Identity of the tensor that was cut (see `Holder.tensor`)."""
    seq: int
    iterations: Iterations


@dataclass(slots=True)
class Raise:
    """A walk that raises (or silently goes wrong), on this run's choices."""

    failure: Failure
    choices: tuple[Choice, ...]
    entry: str
    """The function that was run with unknown arguments, or "" for the program itself."""
    assumptions: tuple[str, ...] = ()
    detached: list[Detached] = field(default_factory=list)
    """Every cut of this run."""
    through: bool = False
    """Whether the way to what fails leads through a module that is not seen and may have cut it."""


@dataclass(slots=True)
class Store:
    """A tensor with history in a place that outlives the iteration: `total += loss`, `losses.append(loss)`, `self.h =
    h`."""

    kind: str
    """`name` (what a name holds at the end of an iteration), `attribute`, `slot` (of a list or dict), `in-place` (the
    tensor's own memory), or `container`: one more of what a list or dict holds."""
    site: ast.AST
    key: object
    """What is stored into, and where in it: a container, an object with the attribute's name, a frame with one of its
    names. It is held here, so that nothing else can be taken for it."""
    node: Node
    iterations: Iterations
    seq: int
    """The machine's clock then."""
    size: int | None = None
    """Of a container: how many tensors with history it holds then; None if what it holds is bounded."""
    part: bool = False
    """Whether a part of something that has its size was written: an index of a tensor, a place of a list."""


@dataclass(slots=True)
class Retained:
    """A later walk went through nodes that an earlier walk of another iteration had kept."""

    node: Node
    earlier: Walk
    later: Walk
    parent: dict[Node | Leaf, Node | Leaf | None]
    """How the later walk came to the nodes that it went through."""


@dataclass(slots=True)
class Cut:
    """The budget ended something early."""

    what: str
    site: ast.AST


@dataclass(slots=True)
class Record:
    """Everything one run of one entry left behind."""

    entry: str = ""
    module: str = ""
    """The class whose loop is elsewhere, if its training was tried (elsewhere.py)."""
    said: str = ""
    """What is assumed of how an entry is called, if not that it is once, as its parameters suggest."""
    leaves_graph: bool = False
    """Whether an entry was given, keeps or returns a graph, which its caller may walk again."""
    raises: list[Raise] = field(default_factory=list)
    silent: list[Raise] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    retained: list[Retained] = field(default_factory=list)
    passed: list[Retained] = field(default_factory=list)
    """Walks through nodes that an earlier walk of another iteration had used up, and that had saved nothing."""
    walks: list[Walk] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    detached: list[Detached] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    misfits: list[ast.AST] = field(default_factory=list)
    """Calls at which the program would raise of itself (a method that a tuple or a number does not have)."""
    rootless: list[ast.AST] = field(default_factory=list)
    """Walks from, or for a gradient of, what has no graph: PyTorch raises there, if its history is known."""
    bounded: set[object] = field(default_factory=set)
    """Lists from which the program takes elements out one by one: they do not grow for ever."""
    finished: bool = False
    """Whether the entry ran to its end (no exception, no exhausted budget)."""
    discarded_cuts: list[ast.AST] = field(default_factory=list)
    """Calls such as `h.detach()` whose result was thrown away."""
    emptied: set[tuple[object, ast.AST]] = field(default_factory=set)
    """Lists and dicts, each with a loop in whose iterations it was emptied or an empty one took its place."""
    lost: list[tuple[ast.AST, str]] = field(default_factory=list)
    """Walks of what is not seen or has no graph as far as is seen, and why: there the thread was lost."""
    over_modules: set[ast.AST] = field(default_factory=set)
    """Loops over modules: they have as many iterations as a model has parts, however long it is trained."""
    short: set[ast.AST] = field(default_factory=set)
    """Loops that were seen to have a few iterations only."""
    escaped: list[Node] = field(default_factory=list)
    """What was handed to calls that are not seen: they may walk it."""
    reached: set[ast.AST] = field(default_factory=set)
    """The functions that were called."""
    trained: dict[Leaf, set[int]] = field(default_factory=dict)
    """The walks, by their order, whose gradients moved a leaf at the first step after them."""
    moments: list[int] = field(default_factory=list)
    """How many walks there had been at each step; equal ones once."""

    def step(self) -> None:
        """A step begins."""
        if not self.moments or self.moments[-1] != len(self.walks):
            self.moments.append(len(self.walks))

    def train(self, leaf: Leaf, walks: tuple[int, ...]) -> None:
        """The step moves a leaf by what walks left. What an earlier step passed over is left over, not meant for it."""
        fresh = self.moments[-2] if len(self.moments) > 1 else 0
        self.trained.setdefault(leaf, set()).update(order for order in walks if order >= fresh)
