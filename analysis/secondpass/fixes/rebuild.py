"""Compute where it is used what a cache or a constructor holds on to: its graph is then of the iteration that walks it.

A value made of parameters is out of date after the first step, whether it raises or not. So a cache is taken out (its
guard, its store or its decorator), and what `__init__` computed moves into the method that reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from .change import Change, applied
from .places import FUNCTIONS, Function, bound, names_loaded
from .recompute import comments_above, cut_out, docstring, sites
from .scene import Candidate, Scene, quoted

CACHING = {"cached_property": "property", "lru_cache": "", "cache": "", "cachedproperty": "property"}
"""Decorators that keep what a function returned, and what takes their place ("" for nothing)."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    if scene.story is None:
        return
    rank = 5 if scene.trained_behind else 30
    yield from _undecorated(scene, rank)
    for statement, target in _stores(scene):
        yield from _unguarded(scene, statement, target, rank)
        yield from _unstored(scene, statement, target, rank + 0.5)
    yield from _into_reader(scene, rank + 1)


def _undecorated(scene: Scene, rank: float) -> Iterator[Candidate]:
    """`@cached_property` becomes `@property`, `@lru_cache` goes."""
    places, page = scene.places, scene.page
    seen: set[ast.AST] = set()
    for site in sites(scene):
        function = places.function(site) if scene.here(site) else None
        if not isinstance(function, FUNCTIONS) or function in seen:
            continue
        seen.add(function)
        for decorator in function.decorator_list:
            named = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""
            if name not in CACHING:
                continue
            plain = CACHING[name]
            if plain:
                change = page.replace(decorator, plain)
            else:
                change = Change(page.line_start(decorator.lineno), page.line_start((decorator.end_lineno or 0) + 1), "")
            yield Candidate(
                "recompute-cached",
                f"Compute `{function.name}` whenever it is used, without `@{name}` (one computation a use)",
                "changes-gradients",
                (change,),
                rank,
            )


def _stores(scene: Scene) -> Iterator[tuple[ast.Assign, ast.expr]]:
    """The statements of the story that put a value away: into an attribute or an element."""
    story, places = scene.story, scene.places
    held = [story.holder, story.stale.holder, story.node.holder] if story is not None else []
    holders = [holder.site for holder in held if holder is not None]
    seen: set[ast.AST] = set()
    for site in [*holders, *sites(scene)]:
        statement = places.statement(site) if scene.here(site) else None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement not in seen:
            seen.add(statement)
            if isinstance(statement.targets[0], (ast.Attribute, ast.Subscript)):
                yield statement, statement.targets[0]


def _unguarded(scene: Scene, statement: ast.Assign, target: ast.expr, rank: float) -> Iterator[Candidate]:
    """`if key not in cache: cache[key] = ...` without its `if`: computed in every call."""
    places = scene.places
    kept = ast.unparse(target.value if isinstance(target, ast.Subscript) else target)
    for guard in places.around(statement):
        if isinstance(guard, (*FUNCTIONS, ast.Module)):
            return
        if not isinstance(guard, ast.If) or guard.orelse or not any(s is statement for s in guard.body):
            continue
        if not any(isinstance(n, ast.expr) and ast.unparse(n) == kept for n in ast.walk(guard.test)) and not (
            isinstance(target, ast.Attribute) and f"'{target.attr}'" in ast.unparse(guard.test)
        ):
            continue
        yield Candidate(
            "recompute-cached",
            f"Compute {quoted([ast.unparse(target)])} in every call, not only in the first (one computation a call)",
            "changes-gradients",
            partial(_unwrapped, scene, guard, statement, target),
            rank,
        )


def _unwrapped(scene: Scene, guard: ast.If, statement: ast.Assign, target: ast.expr) -> tuple[Change, ...]:
    from .block import unwrapped

    block = scene.places.block(guard)
    index = next(i for i, s in enumerate(block) if s is guard)
    following = block[index + 1] if index + 1 < len(block) else None
    if (
        isinstance(following, ast.Return)
        and following.value is not None
        and guard.body[-1] is statement
        and ast.unparse(following.value) == ast.unparse(target)
        and following is block[-1]
    ):  # nothing need be kept at all
        return (unwrapped(scene.page, guard, following, scene.page.code(statement.value)),)
    return (unwrapped(scene.page, guard),)


def _unstored(scene: Scene, statement: ast.Assign, target: ast.expr, rank: float) -> Iterator[Candidate]:
    """The store taken out, where the value is at hand without it and computed again as long as nothing is stored."""
    places, page = scene.places, scene.page
    function = places.function(statement)
    if not isinstance(target, ast.Attribute) or not isinstance(function, FUNCTIONS) or function.name == "__init__":
        return
    if not any(isinstance(guard, ast.If) for guard in places.around(statement)):
        return
    gone: ast.stmt = statement
    owner = places.owner(gone)
    if isinstance(owner, ast.If) and len(owner.body) == 1 and not owner.orelse:
        gone = owner
    yield Candidate(
        "recompute-cached",
        f"Compute what `{ast.unparse(target)}` would keep in every call (one computation a call)",
        "changes-gradients",
        (page.removed(gone),),
        rank,
    )


def _into_reader(scene: Scene, rank: float) -> Iterator[Candidate]:
    """What a constructor computed and one method reads is computed in that method."""
    places = scene.places
    for site in sites(scene):
        start = places.statement(site) if scene.here(site) else None
        function = places.function(start) if start is not None else None
        cls = places.class_of(start) if start is not None else None
        if start is None or cls is None or not isinstance(function, FUNCTIONS) or function not in cls.body:
            continue
        if function.name not in ("__init__", "__post_init__", "build", "setup", "reset_parameters"):
            continue
        found = _kept(scene, function, start)
        if found is None:
            continue
        slice_, store, attribute = found
        readers = [m for m in cls.body if isinstance(m, FUNCTIONS) and m is not function and _reads(m, attribute)]
        readers.sort(key=lambda method: method.name not in ("forward", "__call__"))
        for order, reader in enumerate(readers[:3]):
            yield Candidate(
                "recompute-in-function",
                f"Compute `self.{attribute}` in `{reader.name}`, not in `{function.name}` (one computation a call)",
                "changes-gradients",
                partial(_moved, scene, function, reader, slice_, store, attribute),
                rank + order,
            )
        return


def _kept(scene: Scene, function: Function, start: ast.stmt) -> tuple[list[ast.stmt], ast.stmt, str] | None:
    """The statements that lead from a graph's first node to an attribute, the one that sets it, and its name."""
    try:
        block = scene.places.block(start)
    except LookupError:
        return None
    index = next(i for i, s in enumerate(block) if s is start)
    tainted: set[str] = set()
    chosen: list[ast.stmt] = []
    for statement in block[index:]:
        if statement is not start and not names_loaded(statement) & tainted:
            continue
        attribute = _attribute(statement)
        if attribute:
            needed, kept = names_loaded(statement), [statement]
            for earlier in reversed(chosen):
                if bound([earlier]) & needed:
                    kept.append(earlier)
                    needed |= names_loaded(earlier)
            kept.reverse()
            return _from_first(scene, block, kept, statement), statement, attribute
        if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return None
        chosen.append(statement)
        tainted |= bound([statement])
    return None


def _from_first(scene: Scene, block: list[ast.stmt], kept: list[ast.stmt], store: ast.stmt) -> list[ast.stmt]:
    """The slice with what stands before it and has a graph, too."""
    at = next(i for i, s in enumerate(block) if s is kept[0])
    needed = set().union(*(names_loaded(s) for s in kept))
    names = sorted(needed - {"self"})
    shown = scene.look(block, at, names) if names else {}
    for statement in reversed(block[:at]):
        alive = {n for n in bound([statement]) & needed if n in shown and any(s.history for s in shown[n].shapes)}
        if alive and isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            kept = [statement, *kept]
            needed |= names_loaded(statement)
    return kept


def _attribute(statement: ast.stmt) -> str:
    """The attribute of `self` that a statement sets, registered as a buffer or assigned."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            return target.attr
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if ast.unparse(call.func) == "self.register_buffer" and len(call.args) >= 2:
            name = call.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                return name.value
    return ""


def _reads(node: ast.AST, attribute: str) -> list[ast.Attribute]:
    return [
        n
        for n in ast.walk(node)
        if isinstance(n, ast.Attribute) and n.attr == attribute and isinstance(n.ctx, ast.Load)
    ]


def _moved(
    scene: Scene, function: Function, reader: Function, slice_: list[ast.stmt], store: ast.stmt, attribute: str
) -> tuple[Change, ...] | None:
    """The slice at the start of the method that reads what it makes."""
    page, places = scene.page, scene.places
    value = store.value if isinstance(store, ast.Assign) else store.value.args[1]  # type: ignore[attr-defined]
    reads = _reads(reader, attribute)
    only = len(_reads(places.tree, attribute)) == len(reads)
    taken = {n.id for n in ast.walk(reader) if isinstance(n, ast.Name)} | {
        a.arg for a in ast.walk(reader.args) if isinstance(a, ast.arg)
    }
    local = value.id if isinstance(value, ast.Name) else attribute
    as_local = only and local not in taken
    if not as_local and not isinstance(store, ast.Assign):
        return None
    own = bound(function.body) | {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    wanted = sorted((set().union(*(names_loaded(s) for s in slice_)) & own) - bound(slice_) - {"self"})
    if (bound(slice_) | set(wanted)) & (taken - {"self"} - ({local} if as_local else set())):
        return None
    carried = {name: _held(function, name) for name in wanted}
    head = next((s for s in reader.body if not docstring(s)), reader.body[0])
    indent = page.indent(head)
    lines: list[str] = []
    for statement in slice_:
        if statement is not store or not isinstance(value, ast.Name):
            lines += comments_above(scene, statement)
        edits = [
            Change(page.start(n) - page.start(statement), page.end(n) - page.start(statement), f"self.{n.id}")
            for n in ast.walk(statement)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in carried
        ]
        if statement is store and as_local:
            if isinstance(value, ast.Name):
                continue
            shift = page.start(value)
            inner = [
                Change(c.start + page.start(statement) - shift, c.end + page.start(statement) - shift, c.text)
                for c in edits
            ]
            lines.append(f"{local} = {applied(page.code(value), inner)}")
        else:
            code = page.code_at(statement, indent) if not edits else applied(page.code(statement), edits)
            lines.append(code)
    keep = [_keeping(scene, function, slice_[0], name) for name, held in carried.items() if not held]
    changes = [page.before(head, *lines)]
    if as_local:
        changes += [page.replace(n, local) for n in reads]
    staying = [s for s in places.block(store) if s not in slice_]
    for statement in slice_:
        gone = statement is store or not bound([statement]) & names_loaded(staying)
        if keep and statement is slice_[0]:
            between = f"{page.eol}{page.indent(statement)}"
            kept = between.join(keep) if gone else between.join((*keep, page.code(statement)))
            changes.append(page.replace(statement, kept))
        elif gone:
            changes.append(cut_out(scene, statement))
    return tuple(changes)


def _held(function: Function, name: str) -> bool:
    """Whether a constructor keeps a value under its own name."""
    return any(isinstance(s, ast.Assign) and ast.unparse(s) == f"self.{name} = {name}" for s in ast.walk(function))


def _keeping(scene: Scene, function: Function, before: ast.stmt, name: str) -> str:
    """The statement that keeps a constructor's value for later: a buffer if it is a tensor of a module."""
    shape = scene.shape_at(name, before)
    module = any(
        isinstance(n, ast.Attribute) and n.attr in ("register_buffer", "Module") for n in ast.walk(scene.places.tree)
    )
    if shape is not None and shape.kind == "tensor" and module:
        return f'self.register_buffer("{name}", {name}, persistent=False)'
    return f"self.{name} = {name}"
