"""Cuts of what a loop's iteration hands to the next: `h = h.detach()` in the shape the state has.

A probe at the start of the iteration shows which names, elements and attributes still hold a used-up graph there, and
how they are built. They are cut where the iteration that walked is over; where that does not serve, at the start of the
iteration.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from .change import Change
from .places import FUNCTIONS, Function, exposed, names_loaded, names_stored, walk_scope
from .probe import Seen, Shape
from .scene import Candidate, Scene
from .shapes import detached, statements
from .walks import without_argument

Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While
Iteration: TypeAlias = Loop | Function
"""What runs again and again: a loop, or a function that is called in one."""

MOST = 12
"""More names than these are not looked at: the probe is one run, but each of them shows a value in every iteration."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    """Cuts in the loop itself, then in functions that keep state from call to call."""
    loop = scene.loop()
    rank = 10
    for iteration in ([loop] if loop is not None else []) + _functions(scene):
        groups = _groups(scene, iteration)
        for order, group in enumerate(groups):
            yield from _placed(scene, iteration, group, rank + 10 * order)
        rank = 14


def _functions(scene: Scene) -> list[Iteration]:
    """The functions in which the walk is made: each call may be an iteration."""
    story, places = scene.story, scene.places
    if story is None:
        return []
    walk = story.first
    sites = [walk.site, *reversed(walk.chain.sites() if walk.chain is not None else [])]
    found: dict[Iteration, None] = {}
    for site in sites:
        function = places.function(site) if scene.here(site) else None
        if isinstance(function, FUNCTIONS):
            found.setdefault(function)
    return list(found)


def _groups(scene: Scene, iteration: Iteration) -> list[dict[str, Shape]]:
    """What to cut together: what has to do with the story and does not grow, then more, then each by itself."""
    held = carriers(scene, iteration)
    related = _related(scene, held)
    lasting = [{n: s for n, s in group.items() if not s.grows} for group in (related, held)]
    groups = [group for group in (*lasting, related, held) if group]
    if len(related) > 1:
        groups += [{name: shape} for name, shape in related.items()]
    return [group for index, group in enumerate(groups) if group not in groups[:index]]


def carriers(scene: Scene, loop: Iteration) -> dict[str, Shape]:
    """What still holds a used-up graph when an iteration starts, by the expression that names it."""
    if loop not in scene.held:
        scene.held[loop] = _carriers(scene, loop)
    return scene.held[loop]


def _carriers(scene: Scene, loop: Iteration) -> dict[str, Shape]:
    stored = (set() if isinstance(loop, FUNCTIONS) else names_stored(loop.body)) | _globals(scene, loop)
    written = [n.id for n in walk_scope(loop.body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    crossing = {*(name for name in exposed(loop.body) if name in stored), *_globals(scene, loop)}
    handed = [name for name in dict.fromkeys([*written, *sorted(crossing)]) if name in crossing]
    others = sorted(names_loaded(loop.body) - set(handed))
    shown = scene.look(loop.body, 0, [*handed, *others][: 4 * MOST])
    found: dict[str, Shape] = {}
    for name in handed:
        shape = _stale(shown, name)
        if shape is not None:
            found.update(_parts(scene, name, shape))
    for name in others:
        shape = _stale(shown, name)
        if shape is not None and name not in stored and shape.kind in ("object", "dict", "list"):
            for expression, part in _parts(scene, name, shape):
                if expression != name or part.kind == "modules" or _bindable(scene, loop, name):
                    found[expression] = part
    return dict(list(found.items())[:MOST])


def _bindable(scene: Scene, iteration: Iteration, name: str) -> bool:
    """Whether binding a name anew at this place is seen by whoever reads it: not one from an outer scope."""
    if isinstance(iteration, FUNCTIONS):
        return False
    scope = scene.places.function(iteration)
    if isinstance(scope, ast.Module):
        return True
    arguments = getattr(scope, "args", None)
    given = {a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)} if arguments is not None else set()
    return name in given or name in names_stored(getattr(scope, "body", []))


def _globals(scene: Scene, loop: Iteration) -> set[str]:
    """Names that a function declares `global` or `nonlocal`; for a loop at the top of the file, all such globals."""
    if isinstance(loop, FUNCTIONS):
        named = (n for n in walk_scope(loop.body) if isinstance(n, (ast.Global, ast.Nonlocal)))
        return {name for node in named for name in node.names}
    if not isinstance(scene.places.function(loop), ast.Module):
        return set()
    return {name for node in scene.places.nodes if isinstance(node, ast.Global) for name in node.names}


def _stale(shown: dict[str, Seen], name: str) -> Shape | None:
    return shown[name].stale if name in shown else None


def _parts(scene: Scene, expression: str, shape: Shape) -> Iterator[tuple[str, Shape]]:
    """The places inside an object that hold used-up graphs, each by an expression from the loop's scope.

    What lies in a module that has no name of its own (a child of `nn.Sequential`) is reached over `modules()`.
    """
    if shape.kind != "object":
        yield expression, shape
        return
    deep: dict[tuple[str, str], Shape] = {}
    for name, item in zip(shape.keys, shape.items, strict=True):
        if not item.stale:
            continue
        if str(name).isidentifier() and not _unnamed(item):
            yield from _parts(scene, f"{expression}.{name}", item)
        elif shape.module:
            for owner, attribute, part in _kept(item):
                if _known(scene, owner):
                    deep.setdefault((f"isinstance(module, {owner})", attribute), part)
    if deep:
        sites = frozenset().union(*(part.sites for part in deep.values()))
        yield expression, Shape("modules", list(deep.values()), list(deep), stale=True, history=True, sites=sites)


def _unnamed(shape: Shape) -> bool:
    """Whether a used-up graph lies below a child without a name of its own."""
    return shape.kind == "object" and any(
        item.stale and (not str(name).isidentifier() or _unnamed(item))
        for name, item in zip(shape.keys, shape.items, strict=True)
    )


def _kept(shape: Shape) -> Iterator[tuple[str, str, Shape]]:
    """What the modules below keep: the class that keeps it, the attribute, and its shape."""
    if shape.kind != "object":
        return
    for name, item in zip(shape.keys, shape.items, strict=True):
        if item.stale and item.kind == "object":
            yield from _kept(item)
        elif item.stale and shape.module and str(name).isidentifier():
            yield shape.cls, str(name), item


def _known(scene: Scene, cls: str) -> bool:
    """Whether a class has that name in this file."""
    return any(
        (isinstance(n, ast.ClassDef) and n.name == cls)
        or (isinstance(n, ast.ImportFrom) and any((a.asname or a.name) == cls for a in n.names))
        for n in scene.source.tree.body
    )


def _related(scene: Scene, held: dict[str, Shape]) -> dict[str, Shape]:
    """Those whose graph holds the node of this very story."""
    if scene.story is None:
        return {}
    sites = {scene.story.node.site, scene.story.stale.site}
    return {name: shape for name, shape in held.items() if shape.sites & sites}


def _placed(scene: Scene, loop: Iteration, group: dict[str, Shape], rank: int) -> Iterator[Candidate]:
    what = named(group)
    lasting = not any(shape.grows for shape in group.values())
    for step, last in enumerate(ends(scene, loop)):
        yield Candidate(
            "detach-at-end",
            f"Detach {what} at the end of each step (gradients stop at the step's start)",
            "changes-gradients",
            partial(_at_end, scene, last, group),
            rank + step,
            lasting,
        )
    yield Candidate(
        "detach-at-start",
        f"Detach {what} at the start of each step (gradients stop there)",
        "changes-gradients",
        partial(_at_start, scene, _first(loop), group),
        rank + 5,
        lasting,
    )


def named(group: dict[str, Shape]) -> str:
    names = []
    for name, shape in group.items():
        if shape.kind == "modules":
            names += [f"`{attribute}` of the modules of `{name}`" for _, attribute in shape.keys]
        else:
            names.append(f"`{name}`")
    return " and ".join(dict.fromkeys(names)) if len(names) < 4 else f"{len(names)} states"


def _first(iteration: Iteration) -> ast.stmt:
    """The first statement of an iteration before which others may go: after the docstring, `global` and `nonlocal`."""
    declared = [i for i, s in enumerate(iteration.body) if isinstance(s, (ast.Global, ast.Nonlocal))]
    start = declared[-1] + 1 if declared else 0
    doc = iteration.body[0]
    if not start and isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant):
        start = 1
    return iteration.body[min(start, len(iteration.body) - 1)]


def _at_end(scene: Scene, last: ast.stmt, group: dict[str, Shape]) -> tuple[Change, ...] | None:
    lines = cut_lines(there(scene, last, group), scene.page.unit)
    return None if lines is None else (put(scene, last, *lines), *_unretained(scene))


def _at_start(scene: Scene, first: ast.stmt, group: dict[str, Shape]) -> tuple[Change, ...] | None:
    lines = cut_lines(_there(scene, first, 0, group), scene.page.unit)
    return None if lines is None else (scene.page.before(first, *lines), *_unretained(scene))


def there(scene: Scene, last: ast.stmt, group: dict[str, Shape]) -> dict[str, Shape]:
    """The group's shapes as they are at the end of the block that a statement closes."""
    return _there(scene, last, 0 if _leaves(last) else 1, group)


def _there(scene: Scene, statement: ast.stmt, behind: int, group: dict[str, Shape]) -> dict[str, Shape]:
    """The group's shapes as they are at a statement (`behind` 1: after it); kind `other` where they vary."""
    block = scene.places.block(statement)
    index = next(i for i, s in enumerate(block) if s is statement) + behind
    plain = [name for name, shape in group.items() if shape.kind != "modules"]
    shown = scene.look(block, index, plain)
    found: dict[str, Shape] = {}
    for name, shape in group.items():
        here = shown[name].settled if name in shown else None
        found[name] = shape if shape.kind == "modules" else here or Shape("other")
    return found


def _unretained(scene: Scene) -> list[Change]:
    """Where `retain_graph=True` only hid the carry (SP201): the walk without it."""
    call = scene.walk_call() if scene.finding.rule == "SP201" else None
    keyword = next((k for k in call.keywords if k.arg == "retain_graph"), None) if call is not None else None
    return [] if call is None or keyword is None else [without_argument(scene, call, keyword)]


def put(scene: Scene, last: ast.stmt, *lines: str) -> Change:
    """Statements at the end of a block: after its last one, or before it if that leaves."""
    return (scene.page.before if _leaves(last) else scene.page.after)(last, *lines)


def _leaves(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Continue, ast.Break, ast.Return, ast.Raise))


def cut_lines(group: dict[str, Shape], unit: str) -> list[str] | None:
    """Statements that cut all of these; plain names in one line, as people write it."""
    plain = {name: shape for name, shape in group.items() if name.isidentifier() and shape.kind != "object"}
    if len(plain) in (2, 3) and all(shape.kind == "tensor" and not shape.was_none for shape in plain.values()):
        values = [detached(name, shape) for name, shape in plain.items()]
        lines = [f"{', '.join(plain)} = {', '.join(str(v) for v in values)}"]
        rest = {name: shape for name, shape in group.items() if name not in plain}
    else:
        lines, rest = [], group
    for name, shape in rest.items():
        more = statements(name, shape, unit)
        if more is None:
            return None
        lines += more
    return lines


def ends(scene: Scene, loop: Iteration) -> list[ast.stmt]:
    """Statements after which an iteration is done with its graph: the ends of the blocks around the walk, the
    iteration's own."""
    found: list[ast.stmt] = []
    walk = _walk_in(scene, loop)
    places = scene.places
    if walk is not None:
        for statement in places.chain(places.statement(walk), loop):
            owner = places.owner(statement)
            if isinstance(owner, (ast.Try, ast.With, ast.AsyncWith, ast.ExceptHandler)):
                continue
            if isinstance(owner, ast.If) and owner.orelse:
                continue
            try:
                found.append(places.block(statement)[-1])
            except LookupError:
                continue
    found.append(loop.body[-1])
    return list(dict.fromkeys(found))


def _walk_in(scene: Scene, loop: ast.AST) -> ast.AST | None:
    """The call in the loop's own scope that is, or leads to, the walk that uses the graph up."""
    if scene.story is None:
        return scene.walk_call()
    walk = scene.story.first
    sites = [*(walk.chain.sites() if walk.chain is not None else []), walk.site]
    return scene.in_frame(sites, loop)
