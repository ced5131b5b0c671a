"""`with torch.no_grad():` around statements whose values are targets, statistics or references: nothing trains them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .change import Change
from .places import exposed
from .recompute import made, stale_before
from .scene import Candidate, Scene, quoted, short

GIVEN = re.compile(
    r"(?:^|_)(?:old|ref|reference|target|tgt|teacher|label|adv|advantage|return|gae|baseline|anchor|goal)s?(?:_|\d|$)",
    re.I,
)
"""Names that people give to what a loss takes as given, and does not train."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    """Around the statement that built the stale value, or that keeps the growing one."""
    header = _header(scene)
    if header is None:
        return
    yield from _constants(scene, header)
    for order, statement in enumerate(_statements(scene)):
        yield Candidate(
            "no-grad",
            f"Compute {_what(scene, statement)} under `{header[5:-1]}` (nothing is trained through it)",
            "changes-gradients" if scene.story is not None else "safe",
            _Wrapping(scene, statement, header),
            _rank(scene, statement, order),
        )


def _constants(scene: Scene, header: str) -> Iterator[Candidate]:
    """Around all that the loop takes for given: old log-probabilities and advantages, targets, reference features."""
    loop = scene.loop()
    found = stale_before(scene, loop) if loop is not None else None
    if loop is None or found is None:
        return
    crossing = exposed(loop.body)
    names = [name for name in made(found) if name in crossing]
    try:
        block = scene.places.block(found[0])
    except LookupError:
        return
    places = [i for i, s in enumerate(block) if s in found]
    run = block[places[0] : places[-1] + 1]
    if len(places) < len(found) or not names or not all(isinstance(s, (ast.Assign, ast.AnnAssign)) for s in run):
        return

    def changes() -> tuple[Change, ...]:
        from .block import wrapped

        return wrapped(scene.page, run, header)

    meant = all(GIVEN.search(name) for name in names)
    them = "it" if len(names) == 1 else "them"
    yield Candidate(
        "no-grad",
        f"Compute {quoted(names)} under `{header[5:-1]}` (nothing is trained through {them})",
        "changes-gradients",
        changes,
        8 if meant else 17,
        preferable=meant or not scene.trained_behind,
        given=meant,
    )


class _Wrapping:
    def __init__(self, scene: Scene, statement: ast.stmt, header: str) -> None:
        self.scene, self.statement, self.header = scene, statement, header

    def __call__(self) -> tuple[Change, ...]:
        from .block import wrapped

        block = self.scene.places.block(self.statement)
        first = last = next(i for i, s in enumerate(block) if s is self.statement)
        if _is_statistic(self.statement):
            while first > 0 and _is_statistic(block[first - 1]):
                first -= 1
            while last + 1 < len(block) and _is_statistic(block[last + 1]):
                last += 1
        return wrapped(self.scene.page, block[first : last + 1], self.header)


def _rank(scene: Scene, statement: ast.stmt, order: int) -> float:
    if scene.story is None:
        return (10.5 if _is_statistic(statement) and not isinstance(statement, ast.AugAssign) else 24) + order
    if scene.finding.rule == "SP103" and not scene.trained_behind:  # data made once, by what no step moves
        return 9 + order / 10
    return (48 if scene.trained_behind else 16) + order


def _is_statistic(statement: ast.stmt) -> bool:
    """`self.mean = 0.9 * self.mean + 0.1 * x`: an attribute made of itself."""
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Attribute)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    return isinstance(target, ast.Attribute) and any(
        isinstance(n, ast.Attribute) and ast.unparse(n) == ast.unparse(target) for n in ast.walk(statement.value)
    )


def _header(scene: Scene) -> str | None:
    """The `with` line in the file's own words for torch."""
    for node in scene.source.tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "torch":
                    return f"with {alias.asname or 'torch'}.no_grad():"
        if isinstance(node, ast.ImportFrom) and node.module == "torch":
            for alias in node.names:
                if alias.name == "no_grad":
                    return f"with {alias.asname or 'no_grad'}():"
    return None


def _what(scene: Scene, statement: ast.stmt) -> str:
    """What a statement computes, for a title: the places that it sets, or the value."""
    if isinstance(statement, ast.Assign):
        return quoted([short(scene.page.code(target)) for target in statement.targets])
    if isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        return quoted([short(scene.page.code(statement.target))])
    value = statement.value if isinstance(statement, ast.Return) else None
    return quoted([short(scene.page.code(value if value is not None else statement))])


def _statements(scene: Scene) -> list[ast.stmt]:
    places, story = scene.places, scene.story
    if story is None:
        found = scene.node_at(scene.finding.span, ast.stmt, ast.expr)
        return [places.statement(found)] if found is not None else []
    statements: dict[ast.stmt, None] = {}
    for node in (story.node, story.stale):
        for site in (node.site, *(reversed(node.chain.sites()) if node.chain else [])):
            if scene.here(site):
                statement = places.statement(site)
                if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Return)):
                    statements.setdefault(statement)
    return list(statements)[:4]
