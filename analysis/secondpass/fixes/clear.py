"""State that should begin anew: `buffer.clear()` or its first value once its graph is used up, or `net.reset()`.

A list that grows from iteration to iteration is a store of what its iteration made; once that is walked, it is to be
emptied rather than detached. An object that has a method to reset it is reset by that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from . import carry
from .change import Change
from .places import FUNCTIONS, LOOPS
from .probe import Shape
from .scene import Candidate, Scene

RESET = ("reset", "clear", "init_hidden", "zero_state", "detach", "cut", "repackage", "init_state", "init_leaky")


def candidates(scene: Scene) -> Iterator[Candidate]:
    loop = scene.loop()
    if loop is None:
        return
    held = carry.carriers(scene, loop)
    yield from _truncated(scene, loop, held)
    yield from _emptied(scene, loop, held)
    yield from _begun_again(scene, loop, held)
    yield from _reset(scene, loop, held)


def _truncated(scene: Scene, loop: carry.Loop, held: dict[str, Shape]) -> Iterator[Candidate]:
    """Truncated backpropagation: after the walk the loss starts anew, and the state goes on without its history."""
    subject = scene.finding.subject
    if scene.finding.rule not in ("SP104", "SP106") or subject not in held:
        return
    start = _start(scene, loop, subject)
    states = {name: shape for name, shape in held.items() if name != subject and not shape.grows}
    if start is None or not states or not subject.isidentifier() or _read_after(scene, loop, subject):
        return
    for step, last in enumerate(carry.ends(scene, loop)):
        yield Candidate(
            "truncate",
            f"Start `{subject}` anew and detach {carry.named(states)} once they are walked "
            "(truncated backpropagation: gradients stop there)",
            "changes-gradients",
            partial(_truncated_at, scene, last, start, states),
            7.5 + step,
        )


def _truncated_at(
    scene: Scene, last: ast.stmt, start: ast.Assign, states: dict[str, Shape]
) -> tuple[Change, ...] | None:
    cut = carry.cut_lines(carry.there(scene, last, states), scene.page.unit)
    code = scene.page.code_at(start, scene.page.indent(last))
    return None if cut is None else (carry.put(scene, last, code, *cut),)


def _read_after(scene: Scene, loop: carry.Loop, name: str) -> bool:
    """Whether a name is read behind a loop, in the function of the loop."""
    return any(
        isinstance(n, ast.Name)
        and n.id == name
        and isinstance(n.ctx, ast.Load)
        and n.lineno > (loop.end_lineno or 0)
        and scene.places.function(n) is scene.places.function(loop)
        for n in scene.places.nodes
    )


def _emptied(scene: Scene, loop: carry.Loop, held: dict[str, Shape]) -> Iterator[Candidate]:
    """`store.clear()` where the iteration that walked it is over."""
    story = scene.story
    for name, shape in held.items():
        if shape.kind != "list" or _indexed(scene, name) or (story is None and not _only_read_in(scene, loop, name)):
            continue
        first = shape.grows if story is not None else True
        for step, last in enumerate(carry.ends(scene, loop)):
            yield Candidate(
                "clear-store",
                f"Empty `{name}` once its graphs are walked (it starts anew in the next step)",
                "changes-gradients",
                partial(_emptied_at, scene, last, name),
                (8 if first else 45) + step,
                preferable=first,
            )


def _emptied_at(scene: Scene, last: ast.stmt, name: str) -> tuple[Change, ...]:
    return (carry.put(scene, last, f"{name}.clear()"),)


def _indexed(scene: Scene, name: str) -> bool:
    """Whether some element is asked for by its index: an emptied store would have none."""
    return (
        any(
            isinstance(n, ast.Subscript) and not isinstance(n.slice, ast.Slice) and ast.unparse(n.value) == name
            for n in scene.places.nodes
        )
        and scene.story is not None
    )


def _only_read_in(scene: Scene, loop: carry.Loop, name: str) -> bool:
    """Whether a store is read in the loop, more than to add to it, and not after it."""
    inside = after = False
    for node in scene.places.nodes:
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        if ast.unparse(node) != name:
            continue
        parent = scene.places.parents.get(node)
        if isinstance(parent, ast.Attribute) and parent.attr in ("append", "extend", "clear"):
            continue
        if scene.places.inside(node, loop):
            inside = True
        elif scene.places.function(node) is scene.places.function(loop) and node.lineno > (loop.end_lineno or 0):
            after = True
    return inside and not after


def _begun_again(scene: Scene, loop: carry.Loop, held: dict[str, Shape]) -> Iterator[Candidate]:
    """The statement that gave a running value its start, again after the walk."""
    page, places = scene.page, scene.places
    for name, shape in held.items():
        if not name.isidentifier() or (scene.story is None and not _only_read_in(scene, loop, name)):
            continue
        start = _start(scene, loop, name)
        if start is None:
            continue
        adds = scene.finding.rule == "SP104" or shape.grows
        for step, last in enumerate(carry.ends(scene, loop)):
            nested = not any(statement is last for statement in loop.body)
            yield Candidate(
                "start-anew",
                f"Start `{name}` anew once its graph is walked (the next step begins at `{page.code(start.value)}`)",
                "changes-gradients",
                partial(_begun_at, scene, last, start),
                (9 if adds and nested else 46) + step,
                preferable=adds,
            )
        yield Candidate(
            "start-in-loop",
            f"Start `{name}` in every step (each begins at `{page.code(start.value)}`)",
            "changes-gradients",
            partial(_begun_at, scene, loop.body[0], start, at_end=False),
            44,
            preferable=adds or places.function(start) is places.function(loop),
        )


def _begun_at(scene: Scene, where: ast.stmt, start: ast.Assign, *, at_end: bool = True) -> tuple[Change, ...]:
    code = scene.page.code_at(start, scene.page.indent(where))
    return (carry.put(scene, where, code) if at_end else scene.page.before(where, code),)


def _called_at(scene: Scene, where: ast.stmt, call: str) -> tuple[Change, ...]:
    return (scene.page.before(where, call),)


def _start(scene: Scene, loop: carry.Loop, name: str) -> ast.Assign | None:
    """`name = ...` before the loop, with a value that is a fresh one each time it is evaluated."""
    places = scene.places
    at: ast.AST = loop
    while isinstance(at, ast.stmt) and not isinstance(at, FUNCTIONS):
        block = places.block(at)
        for statement in reversed(block[: next(i for i, s in enumerate(block) if s is at)]):
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, ast.Name) and target.id == name:
                    return statement
        at = places.owner(at)
        if not isinstance(at, (*LOOPS, ast.If, ast.With, ast.Try)):
            return None
    return None


def _reset(scene: Scene, loop: carry.Loop, held: dict[str, Shape]) -> Iterator[Candidate]:
    """`model.reset()` at the start of the iteration, where the file's class of a stale object has such a method."""
    found: dict[str, None] = {}
    for name in held:
        parts = name.split(".")
        for index in range(1, len(parts)):
            owner = ".".join(parts[:index])
            for method in _methods(scene):
                found.setdefault(f"{owner}.{method}()")
    for index, call in enumerate(list(found)[:6]):
        yield Candidate(
            "reset-state",
            f"Call `{call}` at the start of each step (its state begins anew)",
            "changes-gradients",
            partial(_called_at, scene, loop.body[0], call),
            22 + index,
        )


def _methods(scene: Scene) -> list[str]:
    """Methods of the file that take nothing and are named for what they do."""
    found: dict[str, None] = {}
    for node in scene.places.nodes:
        if isinstance(node, FUNCTIONS) and isinstance(scene.places.owner(node), ast.ClassDef):
            arguments = node.args
            needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults) - 1
            if needed == 0 and any(word in node.name for word in RESET) and not node.name.startswith("__"):
                found.setdefault(node.name)
    return list(found)
