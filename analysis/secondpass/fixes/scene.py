"""One finding with everything a fix may look at: its text, its tree, its run, its story."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ..findings import Finding, Safety, Span
from ..machine.graph import Leaf, Node, reach
from ..machine.run import Outcome
from ..rules.places import shortened
from ..rules.story import Story, span_of
from ..settings import Settings
from ..source.source import Source
from .change import Change
from .page import Page
from .places import FUNCTIONS, LOOPS, Places
from .probe import Seen, Shape, look
from .reach import idle

if TYPE_CHECKING:
    from ..project.modules import Project

TENSORLY = frozenset(
    """backward clone cpu cuda detach detach_ device dim dtype exp expand flatten float item log matmul mean mm
    permute pow repeat requires_grad reshape shape sigmoid size softmax squeeze sum t tanh tolist transpose unsqueeze
    view zero_""".split()
)
"""What is asked of tensors and not of tuples."""

Making: TypeAlias = "tuple[Change, ...] | Callable[[], tuple[Change, ...] | None]"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fix before its proof. `rank` orders candidates, lowest first; `preferable` says that it may be preferred."""

    id: str
    title: str
    safety: Safety
    making: Making
    """The changes, or what makes them when the candidate's turn comes (None if it turns out that it cannot be said)."""
    rank: float = 50
    preferable: bool = True
    given: bool = False
    """Whether what it takes a gradient from is by its name not to have one: an old policy's, a target's."""

    def changes(self) -> tuple[Change, ...] | None:
        return self.making() if callable(self.making) else self.making


@dataclass(slots=True)
class Scene:
    source: Source
    settings: Settings
    finding: Finding
    outcome: Outcome
    story: Story | None
    project: Project | None = None
    main: Source | None = None
    """The file that is run, where `source` is another of its project."""
    page: Page = field(init=False)
    held: dict[ast.AST, dict[str, Shape]] = field(default_factory=dict)
    """What loops were found to carry, so that one probe serves several kinds of fixes."""
    _idle: dict[str, set[str]] | None = None

    def __post_init__(self) -> None:
        self.page = Page(self.source)

    @property
    def places(self) -> Places:
        return self.page.places

    @property
    def moved_behind(self) -> bool:
        """Whether a step has moved a parameter behind the stale graph before the second walk."""
        if self.story is None:
            return False
        made = self.story.stale.seq
        leaves = (n.tensor.storage for n in reach([self.story.stale]) if type(n) is Leaf)
        return any(storage.written > made for storage in leaves if storage.version or storage.silent)

    @property
    def trained_behind(self) -> bool:
        """Whether what is behind the stale graph is to be trained: a step has already moved a parameter there, or no
        step has moved any parameter behind the two walks before it raises."""
        if self.story is None:
            return False
        behind = _moved([self.story.stale])
        all_moved = _moved([*self.story.first.roots, *self.story.second.roots])
        return behind or not all_moved

    @property
    def passed_over(self) -> bool:
        """Whether the first walk was followed by a step that moved nothing behind the stale graph: it trains another
        part, as a discriminator's walk over a generator's fake batch does."""
        if self.story is None:
            return False
        behind = {n for n in reach([self.story.stale]) if type(n) is Leaf}
        order = self.story.first.order
        for record in [path.record for path in self.outcome.paths] + self.outcome.entries:
            if order < len(record.walks) and record.walks[order] is self.story.first:
                moved = {leaf for leaf, orders in record.trained.items() if order in orders}
                return bool(moved and behind) and not moved & behind
        return False

    @property
    def idle(self) -> dict[str, set[str]]:
        """Definitions that the story has nothing to do with; none if it is told of an entry."""
        if self._idle is None:
            self._idle = {} if self._entered else idle((self.main or self.source).tree)
        return self._idle

    @property
    def _entered(self) -> bool:
        """Whether the story may be that of a function that the script does not reach."""
        return self.story is None or bool(self.story.event.entry)

    def look(self, block: list[ast.stmt], index: int, expressions: Iterable[str]) -> dict[str, Seen]:
        """What these expressions hold whenever the run comes to `block[index]` (its end, if there is no such).

        Where the machine cannot see what a value is, it is a tensor if the file uses it as one.
        """
        budget = self.settings.budget
        run = self.main or self.source
        leaving, entered = set(self.idle), self._entered
        seen = look(run, self.source, block, index, expressions, budget, again(self.project), leaving, entered=entered)
        for expression, moments in seen.items():
            if any(shape.kind == "unknown" for shape in moments.shapes) and self._is_tensor(expression):
                for shape in moments.shapes:
                    shape.kind = "tensor" if shape.kind == "unknown" else shape.kind
        return seen

    def _is_tensor(self, expression: str) -> bool:
        """Whether the file does something with an expression that only goes with a tensor."""
        for node in self.places.nodes:
            parent = self.places.parents.get(node)
            if isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) == expression:
                if isinstance(parent, ast.Attribute) and parent.attr in TENSORLY:
                    return True
                if isinstance(parent, ast.BinOp) and not isinstance(parent.op, ast.Add):
                    return True
        return False

    def lines(self, nodes: Iterable[ast.expr]) -> str:
        """Where nodes stand, for a title: as a person counts, in a notebook the lines of each cell and cells from 1."""
        by_cell: dict[int | None, list[int]] = {}
        for span in map(self.source.span, nodes):
            by_cell.setdefault(span.cell, []).append(span.line)
        told = []
        for cell, numbers in sorted(by_cell.items(), key=lambda item: item[0] or 0):
            listed = sorted(set(numbers))
            lines = f"line{'s' if len(listed) > 1 else ''} {', '.join(map(str, listed))}"
            told.append(lines if cell is None else f"{lines} of cell {cell + 1}")
        return " and ".join(told)

    def shape_at(self, expression: str, statement: ast.stmt) -> Shape | None:
        """How the value of an expression is built when the run comes to a statement; None if it never does."""
        block = self.places.block(statement)
        index = next(i for i, s in enumerate(block) if s is statement)
        seen = self.look(block, index, [expression]).get(expression)
        return None if seen is None else seen.settled

    @property
    def texts(self) -> list[str]:
        """The texts of the files that the run reads."""
        others = self.project.sources.values() if self.project is not None else ()
        return [self.source.text, *(other.text for other in others if other is not None)]

    @property
    def imported(self) -> set[str]:
        """The names that imports bind at the top of the file."""
        found: set[str] = set()
        for node in self.source.tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        return found

    @property
    def classes(self) -> set[str]:
        """The names at the top of the file that stand for classes: defined here, or imported and written like one."""
        own = {node.name for node in self.source.tree.body if isinstance(node, ast.ClassDef)}
        return own | {name for name in self.imported if name[:1].isupper() and len(name) > 1}

    def loop(self) -> ast.For | ast.AsyncFor | ast.While | None:
        """The loop across whose iterations the graph is carried."""
        if self.story is not None:
            found = self.story.loop
            return found if isinstance(found, LOOPS) and self.here(found) else None
        span = self.finding.loop
        if span is None:
            walk = self.walk_call()
            return next((n for n in self.places.around(walk) if isinstance(n, LOOPS)), None) if walk else None
        return next((n for n in self.places.nodes if isinstance(n, LOOPS) and self.starts(n, span)), None)

    def walk_call(self) -> ast.Call | None:
        """The call that walks again, as the finding tells it."""
        for step in self.finding.witness:
            if step.role == "walked-again" or (step.role == "retained" and len(self.finding.witness) == 1):
                found = self.node_at(step.span, ast.Call)
                return found if isinstance(found, ast.Call) else None
        return None

    def starts(self, node: ast.AST, span: Span) -> bool:
        own = self.source.span(node)
        return (own.cell, own.line, own.column) == (span.cell, span.line, span.column)

    def here(self, node: ast.AST) -> bool:
        """Whether a node belongs to this file."""
        return node in self.places.parents

    def node_at(self, span: Span, *kinds: type[ast.AST]) -> ast.AST | None:
        """The node of one of these kinds at exactly this place, the outermost one."""
        for node in self.places.nodes:
            if isinstance(node, kinds) and hasattr(node, "lineno") and self.source.span(node) == span:
                return node
        return None

    def in_frame(self, sites: list[ast.AST], outer: ast.AST) -> ast.AST | None:
        """Of a call's chain, innermost last, the site that stands in `outer` itself."""
        scope = outer if isinstance(outer, (*FUNCTIONS, ast.Module)) else self.places.function(outer)
        for site in sites:
            if self.here(site) and self.places.inside(site, outer) and self.places.function(site) is scope:
                return site
        return None


def short(text: str, most: int = 40) -> str:
    """Code for a title: on one line, and not too long."""
    return shortened(re.sub(r",?\s+([)\]}])|([(\[{])\s+", r"\1\2", " ".join(text.split())), most)


def quoted(names: Sequence[str]) -> str:
    """Names for a title: "`a`, `b` and `c`"."""
    told = [f"`{name}`" for name in names]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}" if told else "the forward"


def again(project: Project | None) -> Project | None:
    """The same project for another run; what was parsed stays parsed."""
    if project is None:
        return None
    fresh = type(project)(project.main, project.texts)
    fresh.sources = project.sources
    return fresh


def _moved(nodes: list[Node | Leaf]) -> bool:
    """Whether a step has moved any parameter behind these nodes."""
    return any(n.tensor.storage.version or n.tensor.storage.silent for n in reach(nodes) if type(n) is Leaf)


def story_of(outcome: Outcome, finding: Finding) -> Story | None:
    """The failing walk that a finding tells of."""
    records = [path.record for path in outcome.paths] + outcome.entries
    for record in records:
        for event in record.raises + record.silent:
            story = Story(event)
            at = story.raises_at
            if finding.raises_at is None or span_of(story.primary) != finding.span:
                continue
            if (at.cell, at.line) == (finding.raises_at.cell, finding.raises_at.line):
                return story
    return None
