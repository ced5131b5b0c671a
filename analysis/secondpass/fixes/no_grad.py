"""`with torch.no_grad():` around statements whose values are targets, statistics or references: nothing trains them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .change import Change
from .scene import Candidate, Scene


def candidates(scene: Scene) -> Iterator[Candidate]:
    """Around the statement that built the stale value, or that keeps the growing one."""
    header = _header(scene)
    if header is None:
        return
    for order, statement in enumerate(_statements(scene)):
        yield Candidate(
            "no-grad",
            f"Compute `{_short(scene.page.code(statement))}` under `{header[5:-1]}` (nothing is trained through it)",
            "changes-gradients" if scene.story is not None else "safe",
            _Wrapping(scene, statement, header),
            (24 if scene.trained_behind or scene.story is None else 16) + order,
        )


class _Wrapping:
    def __init__(self, scene: Scene, statement: ast.stmt, header: str) -> None:
        self.scene, self.statement, self.header = scene, statement, header

    def __call__(self) -> tuple[Change, ...]:
        from .block import wrapped

        block = self.scene.places.block(self.statement)
        at = next(i for i, s in enumerate(block) if s is self.statement)
        return (wrapped(self.scene.page, block[at : at + 1], self.header),)


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


def _statements(scene: Scene) -> list[ast.stmt]:
    places, story = scene.places, scene.story
    if story is None:
        found = scene.node_at(scene.finding.span, ast.stmt, ast.expr)
        return [places.statement(found)] if found is not None else []
    statements: dict[ast.stmt, None] = {}
    for node in (story.stale, story.node):
        for site in (node.site, *(reversed(node.chain.sites()) if node.chain else [])):
            if scene.here(site):
                statement = places.statement(site)
                if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Return)):
                    statements.setdefault(statement)
    return list(statements)[:4]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
