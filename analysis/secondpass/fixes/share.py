"""`x.detach()` where one of two losses should not train what is behind `x`: the fake batch in the discriminator's call.

The tensor that both walks reach has a name; each place that reads it is a place where it may be cut. Places before the
first walk come first (there the loss is made that is not to reach behind it), alone and together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from ..machine.graph import Walk
from .change import Change
from .places import FUNCTIONS, walk_scope
from .scene import Candidate, Scene, short
from .shapes import detached

MOST = 8
CARRIED = ("SP101", "SP104", "SP106")
"""Rules about what crosses an iteration: there a cut of the carried state says more than one of a use."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    story = scene.story
    if story is None:
        return
    subjects = _subjects(scene)
    for order, (subject, scope) in enumerate(subjects):
        uses = _uses(scene, subject, scope)
        walked = scene.in_frame(_calls_to(story.first), scope)
        line = getattr(walked, "lineno", 0) if walked is not None else 0
        early = [u for u in uses if u.lineno < line or (walked is not None and scene.places.inside(u, walked))]
        late = [use for use in uses if use not in early]
        once = story.first.site is story.second.site
        base = 40 if scene.finding.rule in CARRIED else 20 if scene.trained_behind else 5
        if not once and scene.passed_over:  # two players over one batch: the first is not to train the second
            base, order = 3, 0
        for walk, part, rank in ((story.first, early, base), (story.second, late, base + 6)):
            handed = [use for argument in part for use in _handed(scene, walk, argument)]
            if handed and not once:
                yield _cut(scene, ast.unparse(handed[0]), handed, rank + 10 * order - 0.5)
        for rank, part in ((base, early), (base if once else base + 6, late)):
            for index, use in enumerate(part[:MOST]):
                yield _cut(scene, subject, [use], rank + 10 * order + (1 if len(part) > 1 else 0) + index * 0.01)
            if len(part) > 1:
                yield _cut(scene, subject, part, rank + 10 * order)


def _calls_to(walk: Walk) -> list[ast.AST]:
    """The calls that lead to a walk, outermost first, and the walk."""
    return [*(walk.chain.sites() if walk.chain is not None else []), walk.site]


def _handed(scene: Scene, walk: Walk, argument: ast.expr) -> list[ast.expr]:
    """Where the function that leads to a walk reads what it is handed as an argument."""
    calls = _calls_to(walk)
    for call, inner in pairwise(calls):
        if not (isinstance(call, ast.Call) and scene.here(call) and scene.here(inner)):
            continue
        function = scene.places.function(inner)
        if not isinstance(function, FUNCTIONS):
            continue
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        bound = isinstance(call.func, ast.Attribute) and isinstance(scene.places.owner(function), ast.ClassDef)
        given = dict(zip(map(id, call.args), names[1:] if bound else names, strict=False))
        given |= {id(keyword.value): keyword.arg for keyword in call.keywords if keyword.arg is not None}
        if id(argument) in given:
            uses = _uses(scene, given[id(argument)], function)
            return [u for u in uses if u.lineno < inner.lineno or scene.places.inside(u, inner)]  # type: ignore[attr-defined]
    return []


def _cut(scene: Scene, subject: str, uses: list[ast.expr], rank: float) -> Candidate:
    page = scene.page
    around = (n for n in scene.places.around(uses[0]) if not isinstance(n, (ast.keyword, ast.Starred)))
    call = next(around, None)
    into = (
        f" in `{short(page.code(call.func))}(...)`"
        if isinstance(call, ast.Call) and call.func is not uses[0] and len(uses) == 1
        else f" on {scene.lines(uses)}"
    )

    def changes() -> tuple[Change, ...] | None:
        made: list[Change] = []
        for use in uses:
            shape = scene.shape_at(page.code(use), scene.places.statement(use))
            text = None if shape is None else detached(page.code(use), shape)
            if text is None:
                return None
            if " if " in text and isinstance(
                scene.places.parents.get(use), (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Compare)
            ):
                text = f"({text})"
            made.append(page.replace(use, text))
        return tuple(made)

    return Candidate(
        "detach-use",
        f"Detach `{subject}`{into} (that loss no longer trains what made it)",
        "changes-gradients",
        changes,
        rank,
    )


def _subjects(scene: Scene) -> list[tuple[str, ast.AST]]:
    """Names and attributes that carry the shared graph, with the scope in which they are read."""
    story = scene.story
    assert story is not None
    found: dict[tuple[str, ast.AST], None] = {}
    for node in (story.stale, story.node):
        sites = [
            *([node.holder.site] if node.holder else []),
            node.site,
            *(node.chain.sites()[::-1] if node.chain else []),
        ]
        for site in sites:
            if not scene.here(site):
                continue
            scope = scene.places.function(site)
            for name in _bound(scene, site):
                found.setdefault((name, scope))
            if isinstance(site, (ast.Name, ast.Attribute)):
                found.setdefault((ast.unparse(site), scope))
                owner = scene.places.class_of(site)
                if isinstance(site, ast.Attribute) and owner is not None:
                    for method in owner.body:
                        if isinstance(method, FUNCTIONS):
                            found.setdefault((ast.unparse(site), method))
    return list(found)


def _bound(scene: Scene, site: ast.AST) -> list[str]:
    """The names to which the statement around a site binds its value."""
    statement = scene.places.statement(site)
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return []
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [
        ast.unparse(n)
        for target in targets
        for n in ast.walk(target)
        if isinstance(n, (ast.Name, ast.Attribute)) and isinstance(n.ctx, ast.Store)
    ]


def _uses(scene: Scene, subject: str, scope: ast.AST) -> list[ast.expr]:
    """Places that read the subject as a whole tensor."""
    found: list[ast.expr] = []
    body = scope.body if isinstance(scope, (*FUNCTIONS, ast.Module)) else scope
    for node in walk_scope(body):
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        if ast.unparse(node) != subject:
            continue
        parent = scene.places.parents.get(node)
        if isinstance(parent, ast.Attribute) and parent.attr in (
            "detach",
            "detach_",
            "shape",
            "size",
            "item",
            "backward",
            "data",
            "requires_grad",
            "device",
            "dtype",
        ):
            continue
        if not isinstance(parent, ast.Compare):
            found.append(node)
    return found
