"""Compute again what is out of date: the forward moves into the loop or closure, or is repeated before the walk.

A slice is the statements of one function that led to the stale value, in their order, with the comments above them. It
is moved where nothing else reads what it binds, and repeated where something does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .carry import Loop
from .change import Change
from .extract import extracted
from .places import FUNCTIONS, Function, bound, exposed, names_loaded, names_stored, walk_scope
from .scene import Candidate, Scene, quoted
from .walks import without_argument

ONCE = frozenset(
    {
        "next",
        "append",
        "extend",
        "pop",
        "popleft",
        "read",
        "readline",
        "input",
        "step",
        "backward",
        "send",
        "parameters",
    }
)
"""Calls that do something else when they are made a second time; a slice with one of them is not repeated."""
DRAWING = frozenset(
    {"rand", "randn", "randint", "rand_like", "randn_like", "normal", "sample", "rsample", "multinomial"}
)
LIGHT = frozenset(
    {"Variable", "Categorical", "Normal", "Bernoulli", "MultivariateNormal", "Independent", "Beta", "Tensor"}
)
"""Classes of which a new instance changes nothing; with any other (a module) training would begin anew."""


def into_loop(scene: Scene) -> Iterator[Candidate]:
    """What was computed before the loop and is walked in every iteration is computed in every iteration."""
    loop = scene.loop()
    if loop is None or scene.story is None or scene.story.built_inside(scene.story.node):
        return
    start = _frame_statement(scene, loop)
    if start is None:
        return
    try:
        before = _before(scene, start, loop)
    except LookupError:
        return
    wanted = names_loaded(loop.body) | _header_names(loop)
    for order, (whole, slice_) in enumerate(_slices(scene, before, start, wanted, loop)):
        yield from _into_loop(scene, loop, whole, slice_, _anew(slice_, 10 + order))


def _into_loop(
    scene: Scene, loop: Loop, before: list[ast.stmt], slice_: list[ast.stmt], rank: float
) -> Iterator[Candidate]:
    if not _repeatable(scene, slice_):
        return
    elsewhere, changes = _put(scene, slice_, loop.body[0], before, loop)
    verb = "Compute" if elsewhere else "Move the computation of"
    how = "again in every step" if elsewhere else "into the loop"
    title = f"{verb} {_what(slice_)} {how} (one forward pass a step)"
    yield Candidate("move-into-loop", title, "changes-gradients", changes, rank)


def _put(
    scene: Scene, slice_: list[ast.stmt], head: ast.stmt, before: list[ast.stmt], block: Loop | Function
) -> tuple[bool, tuple[Change, ...]]:
    """The slice before `head` in a block; and whether it stays where it was, too, because its names are read there."""
    rest = [s for s in before if s not in slice_]
    elsewhere = bound(slice_) & (names_loaded(rest) | _read_after(scene, block) | _header_names(block))
    there = scene.page.before(head, *_lines(scene, slice_, head))
    return bool(elsewhere), (there,) if elsewhere else (there, *(cut_out(scene, s) for s in slice_))


def into_closure(scene: Scene) -> Iterator[Candidate]:
    """What was computed outside a function that runs several times, and is walked in it, is computed in it."""
    story = scene.story
    if story is None or story.loop is not None or story.first.site is not story.second.site:
        return
    places = scene.places
    if not scene.here(story.second.site):
        return
    inner = places.function(story.second.site)
    if not isinstance(inner, FUNCTIONS):
        return
    outer = places.function(inner)
    start = None
    for site in sites(scene):
        if scene.here(site) and places.function(site) is outer:
            start = places.statement(site)
            break
    if start is None or not isinstance(outer, (*FUNCTIONS, ast.Module)):
        return
    try:
        before = _before(scene, start, inner)
    except LookupError:
        return
    wanted = names_loaded(inner.body) - names_stored(inner.body)
    for order, (whole, slice_) in enumerate(_slices(scene, before, start, wanted, inner)):
        yield from _into_closure(scene, inner, whole, slice_, _anew(slice_, 10 + order))


def _into_closure(
    scene: Scene, inner: Function, before: list[ast.stmt], slice_: list[ast.stmt], rank: float
) -> Iterator[Candidate]:
    if not _repeatable(scene, slice_):
        return
    head = next((s for s in inner.body if not docstring(s)), inner.body[0])
    _, changes = _put(scene, slice_, head, before, inner)
    title = f"Compute {_what(slice_)} in `{inner.name}` (one forward pass each time it is called)"
    yield Candidate("recompute-in-function", title, "changes-gradients", changes, rank)


def before_second_walk(scene: Scene) -> Iterator[Candidate]:
    """What the second walk needs is computed again after the first walk, or after the step that changed the weights."""
    story = scene.story
    if story is None:
        return
    places, page = scene.places, scene.page
    if not (scene.here(story.second.site) and scene.here(story.first.site)):
        return
    frame = common_frame(scene)
    try:
        if frame is not None:
            first, second = frame
            block = places.block(second)
            at = next(i for i, s in enumerate(block) if s is second)
            changed = _last_change(scene, block, first, second)
        else:
            second = _walk_beside(scene)
            block = places.block(second)
            at = next(i for i, s in enumerate(block) if s is second)
            changed = at - 1
    except (LookupError, StopIteration):
        return
    stale, later = _before_in_frame(scene, block[0], changed, block), block[changed + 1 : at + 1]
    where = sites(scene)
    seen: list[list[ast.stmt]] = []
    for order, start in enumerate((where, None)):
        slice_ = _backward_slice(scene, stale, later, second, start)
        if slice_ in seen or not _repeatable(scene, slice_):
            continue
        seen.append(slice_)
        target = next((s for s in later if names_loaded(s) & bound(slice_)), second)
        changes = [page.before(target, *_lines(scene, slice_, target, comments=False))]
        unkept = _without_retain(scene)
        title = f"Compute {_what(slice_)} again before the second walk (one more forward pass)"
        moved = _movable(slice_, [*stale, *block[: changed + 1]])
        drawn = _draws(slice_) or (not page.leads(target) and len(slice_) > 1)
        rank = 12 + order + (40 if drawn else 0)
        if moved:
            cut = (cut_out(scene, s) for s in moved)
            there = page.before(target, *_lines(scene, slice_, target, comments=len(moved) == len(slice_)))
            yield Candidate("recompute", title, "changes-gradients", (there, *cut, *unkept), rank)
        yield Candidate("recompute", title, "changes-gradients", (*changes, *unkept), rank + 0.3)
        if unkept:
            yield Candidate("recompute", title, "changes-gradients", tuple(changes), rank + 4)
        yield from _extracted(scene, slice_, target, unkept, rank + 0.4)


def _extracted(
    scene: Scene, slice_: list[ast.stmt], target: ast.stmt, unkept: list[Change], rank: float
) -> Iterator[Candidate]:
    """The same with the slice written once: as a function that is called in both places."""
    if len(slice_) < 2 or not scene.page.leads(target):
        return
    names = made(slice_)
    found = extracted(scene, slice_, target, names)
    if found is not None:
        name, changes = found
        yield Candidate(
            "extract-function",
            f"Compute {_what(slice_)} in `{name}()`, and call it again before the second walk (one more forward pass)",
            "changes-gradients",
            (*changes, *unkept),
            rank,
            preferable=False,
        )


def common_frame(scene: Scene) -> tuple[ast.stmt, ast.stmt] | None:
    """The statements of one function that are, or lead to, the two walks; the second may stand deeper."""
    story, places = scene.story, scene.places
    assert story is not None
    first = [story.first.site, *reversed(story.first.chain.sites() if story.first.chain else [])]
    second = [story.second.site, *reversed(story.second.chain.sites() if story.second.chain else [])]
    for one in first:
        for two in second:
            if scene.here(one) and scene.here(two) and one is not two and places.function(one) is places.function(two):
                return places.statement(one), places.statement(two)
    return None


def _walk_beside(scene: Scene) -> ast.stmt:
    """Where nothing walked before (only weights moved): the statement that walks, in the function that built."""
    story, places = scene.story, scene.places
    assert story is not None
    if story.first is story.second:
        for site in (story.second.site, *reversed(story.second.chain.sites() if story.second.chain else [])):
            for built in sites(scene):
                if scene.here(site) and scene.here(built) and places.function(site) is places.function(built):
                    return places.statement(site)
    raise LookupError("the walk and what it walks have no function in common")


def _last_change(scene: Scene, block: list[ast.stmt], first: ast.stmt, second: ast.stmt) -> int:
    """The last statement of the second walk's block that still belongs to the first walk: the walk, or its step.

    -1 if the first walk stands before the block.
    """
    places, story = scene.places, scene.story
    assert story is not None
    moments: list[ast.AST] = [first]
    storage = story.failure.storage
    if storage is not None and storage.writer is not None and scene.here(storage.writer):
        moments.append(storage.writer)
    found = -1
    for index, statement in enumerate(block):
        if statement is second:
            return found
        if any(places.inside(moment, statement) for moment in moments):
            found = index
    raise LookupError("the second walk is not in its block")


def _before_in_frame(scene: Scene, first: ast.stmt, changed: int, block: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that ran before the change: of the block itself, and of the blocks around it in one iteration."""
    found = block[: changed + 1]
    places = scene.places
    at: ast.AST = places.owner(first)
    while isinstance(at, (ast.If, ast.With, ast.Try)):
        outer = places.block(at)
        index = next(i for i, s in enumerate(outer) if s is at)
        found = [*outer[:index], *found]
        at = places.owner(at)
    return found


def _backward_slice(
    scene: Scene,
    stale: list[ast.stmt],
    later: list[ast.stmt],
    second: ast.stmt,
    where: list[ast.AST] | None,
) -> list[ast.stmt]:
    """Of the statements before the change, those that made what the later ones read, from the first out-of-date one on.

    Out of date is what stands at `where`; without them, whatever hangs on a used-up graph when the second walk comes.
    """
    needed: set[str] = set()
    written: set[str] = set()
    for statement in later:
        needed |= names_loaded(statement) - written
        written |= names_stored(statement)
    story, places = scene.story, scene.places
    assert story is not None
    chosen: list[ast.stmt] = []
    for statement in reversed(stale):
        if _leads_to(statement, needed):
            chosen.append(statement)
            needed |= names_loaded(statement)
    chosen.reverse()
    block = scene.places.block(second)
    where = where or _used_up(scene, chosen, block, next(i for i, s in enumerate(block) if s is second))
    first = next((i for i, s in enumerate(chosen) if any(scene.here(x) and places.inside(x, s) for x in where)), None)
    if first is None:
        return []
    tainted: set[str] = set()
    kept: list[ast.stmt] = []
    for statement in chosen[first:]:
        if (
            not kept
            or names_loaded(statement) & tainted
            or any(places.inside(x, statement) for x in where if scene.here(x))
        ):
            kept.append(statement)
            tainted |= bound([statement])
    return kept


def _used_up(scene: Scene, chosen: Sequence[ast.stmt], block: list[ast.stmt], index: int) -> list[ast.AST]:
    """Those of the statements whose values hang on a used-up graph when the run comes to a place."""
    shown = scene.look(block, index, sorted(bound(chosen)))
    gone = {name for name, seen in shown.items() if seen.stale is not None}
    return [statement for statement in chosen if bound([statement]) & gone]


def sites(scene: Scene) -> list[ast.AST]:
    """Where the stale node was built, the innermost place first, then the calls that led there."""
    story = scene.story
    assert story is not None
    found: list[ast.AST] = []
    for node in (story.node, story.stale):
        found.append(node.site)
        if node.chain is not None:
            found += reversed(node.chain.sites())
    return found


def _frame_statement(scene: Scene, loop: ast.stmt) -> ast.stmt | None:
    """The statement of the loop's own function that built the stale value, before the loop."""
    places = scene.places
    scope = places.function(loop)
    for site in sites(scene):
        if scene.here(site) and places.function(site) is scope and not places.inside(site, loop):
            statement = places.statement(site)
            for outer in places.chain(statement, scope):  # out of loops that are done before this one begins
                if isinstance(places.owner(outer), ast.ExceptHandler):
                    break
                if any(places.inside(loop, other) for other in places.block(outer)):
                    return outer
            return statement
    return None


def _before(scene: Scene, start: ast.stmt, loop: ast.stmt) -> list[ast.stmt]:
    """The statements from `start` to `loop`, which may stand deeper; raises LookupError if they are not in line."""
    places = scene.places
    block = places.block(start)
    index = next(i for i, s in enumerate(block) if s is start)
    for end in range(index + 1, len(block)):
        if places.inside(loop, block[end]):
            found = block[index:end]
            at: ast.AST = loop
            inner: list[ast.stmt] = []
            while at is not block[end]:
                own = places.block(at)  # type: ignore[arg-type]
                inner = [*own[: next(i for i, s in enumerate(own) if s is at)], *inner]
                at = places.owner(at)  # type: ignore[arg-type]
            return [*found, *inner]
    raise LookupError("the loop does not follow")


def _slices(
    scene: Scene, before: list[ast.stmt], start: ast.stmt, wanted: set[str], target: Loop | Function
) -> Iterator[tuple[list[ast.stmt], list[ast.stmt]]]:
    """Statements to compute again in `target`, with all before it: from the stale node on, then all that is stale."""
    first = _forward_slice(before, start, wanted)
    yield before, first
    block = scene.places.block(start)
    index = next(i for i, s in enumerate(block) if s is start)
    whole = [*block[:index], *before]
    needed = set(wanted)
    chosen: list[ast.stmt] = []
    for statement in reversed(whole):
        if _leads_to(statement, needed):
            chosen.append(statement)
            needed |= names_loaded(statement)
    chosen.reverse()
    stale = _used_up(scene, chosen, target.body, 0)
    wider = [s for s in chosen if s in stale]
    if wider and wider != first:
        yield whole, wider


def stale_before(scene: Scene, loop: Loop) -> list[ast.stmt] | None:
    """The statements before a loop that made what it walks in every iteration."""
    if scene.story is None or scene.story.built_inside(scene.story.node):
        return None
    start = _frame_statement(scene, loop)
    if start is None:
        return None
    try:
        before = _before(scene, start, loop)
    except LookupError:
        return None
    *_, (_, stale) = _slices(scene, before, start, names_loaded(loop.body) | _header_names(loop), loop)
    return stale or None


def _forward_slice(before: list[ast.stmt], start: ast.stmt, wanted: set[str]) -> list[ast.stmt]:
    """`start` and the statements after it that build on what it binds and that lead to a wanted name."""
    tainted = bound([start])
    chosen = [start]
    for statement in before[1:]:
        if names_loaded(statement) & tainted and _leads_to(statement, None):
            chosen.append(statement)
            tainted |= bound([statement])
    needed = set(wanted)
    kept: list[ast.stmt] = []
    for statement in reversed(chosen):
        if bound([statement]) & needed:
            kept.append(statement)
            needed |= names_loaded(statement)
    kept.reverse()
    return kept


def _leads_to(statement: ast.stmt, needed: set[str] | None) -> bool:
    """Whether a statement makes one of these names (any, if None), or adds to a list of that name."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return needed is None or bool(bound([statement]) & needed)
    if not isinstance(statement, (ast.For, ast.If, ast.While, ast.With)):
        return False
    given = bound(statement.body) | {name for part in ast.walk(statement) for name in _filled(part)}
    return bool(given) if needed is None else bool(given & needed)


def _filled(node: ast.AST) -> set[str]:
    """The list to which a call adds, the name whose element is set."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend"):
        return {node.func.value.id} if isinstance(node.func.value, ast.Name) else set()
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
        return {node.value.id}
    return set()


def _simple_loop(statement: ast.stmt, made_before: set[str]) -> bool:
    """`for layer in layers: x = layer(x); kept.append(x)`, where what is filled was made by the slice itself."""
    if not isinstance(statement, ast.For) or statement.orelse:
        return False
    for part in statement.body:
        value = part.value if isinstance(part, (ast.Expr, ast.Assign, ast.AugAssign)) else None
        filled = {name for node in ast.walk(part) for name in _filled(node)}
        if value is None or filled - made_before:
            return False
        if isinstance(part, ast.Assign) and not all(isinstance(t, (ast.Name, ast.Tuple)) for t in part.targets):
            return False
        if isinstance(part, ast.Expr) and not filled:
            return False
    return True


def _repeatable(scene: Scene, slice_: list[ast.stmt]) -> bool:
    if not slice_ or set(exposed(slice_)) & bound(slice_):
        return False  # a second time it would begin where the first has ended
    for index, statement in enumerate(slice_):
        plain = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        if not plain and not _simple_loop(statement, bound(slice_[:index])):
            return False
        for node in ast.walk(statement):
            if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)):
                return False
            if isinstance(node, ast.Call):
                func = node.func
                name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
                if (name in ONCE and plain) or (name not in LIGHT and _makes(scene, func)):
                    return False
    return isinstance(slice_[0], (ast.Assign, ast.AnnAssign))


def _anew(slice_: list[ast.stmt], rank: float) -> float:
    """The rank of computing a slice in every iteration: a late one where that draws other numbers each time."""
    return rank + 40 * _draws(slice_)


def _draws(slice_: list[ast.stmt]) -> bool:
    """Whether random numbers are drawn: computed again, the second walk would be about others than the first."""
    names = {n.attr for s in slice_ for n in ast.walk(s) if isinstance(n, ast.Attribute)}
    return bool(names & DRAWING)


def _makes(scene: Scene, func: ast.expr) -> bool:
    """Whether a call makes an instance of a class, as far as its name tells."""
    if isinstance(func, ast.Attribute):
        root = func.value
        while isinstance(root, ast.Attribute):
            root = root.value
        return func.attr[:1].isupper() and isinstance(root, ast.Name) and root.id in scene.imported
    return isinstance(func, ast.Name) and func.id in scene.classes


def _header_names(block: Loop | Function) -> set[str]:
    """Names that are read as a block begins, before its first statement: what a loop goes over, what a default is."""
    if isinstance(block, FUNCTIONS):
        defaults = [*block.args.defaults, *(one for one in block.args.kw_defaults if one is not None)]
        return names_loaded([*defaults, *block.decorator_list])
    return names_loaded(block.test if isinstance(block, ast.While) else block.iter)


def _read_after(scene: Scene, statement: ast.stmt) -> set[str]:
    """Names that are read after a statement in its function, or by functions defined beside it."""
    scope = scene.places.function(statement)
    last = statement.end_lineno or 0
    body = scope.body if isinstance(scope, (*FUNCTIONS, ast.Module)) else []
    found: set[str] = set()
    for top in body:
        for node in ast.walk(top):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.lineno > last:
                found.add(node.id)
    return found


def _movable(slice_: list[ast.stmt], around: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a slice that nothing which stays in place reads before the change."""
    moved: list[ast.stmt] = []
    if any(isinstance(statement, ast.For) for statement in slice_):
        return moved
    for statement in reversed(slice_):
        staying = [s for s in around if s is not statement and s not in moved]
        if not bound([statement]) & names_loaded(staying):
            moved.append(statement)
    return moved[::-1]


def docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _lines(scene: Scene, slice_: list[ast.stmt], target: ast.stmt, *, comments: bool = True) -> list[str]:
    """The slice's statements as they will stand beside `target`, each with the comments right above it if it moves."""
    found: list[str] = []
    for statement in slice_:
        if comments:
            found += comments_above(scene, statement)
        found.append(scene.page.code_at(statement, scene.page.indent(target)))
    return found


def comments_above(scene: Scene, statement: ast.stmt) -> list[str]:
    """The comment lines right above a statement, in its own indentation; a cell's mark is none of them."""
    page = scene.page
    if not page.leads(statement):
        return []
    found: list[str] = []
    line = statement.lineno - 1
    lead = page.indent(statement) + "#"
    while line >= 1 and scene.source.line(line).startswith(lead) and not scene.source.line(line).startswith("# %%"):
        found.insert(0, scene.source.line(line).strip())
        line -= 1
    return found


def cut_out(scene: Scene, statement: ast.stmt) -> Change:
    """Take a statement out together with the comments right above it."""
    change = scene.page.removed(statement)
    comments = len(comments_above(scene, statement))
    if comments and change.text == "" and scene.page.leads(statement) and scene.page.closes(statement):
        first = scene.source.table.offset(statement.lineno - comments, 1)
        return Change(min(first, change.start), change.end, "")
    return change


def _without_retain(scene: Scene) -> list[Change]:
    """The first walk without the `retain_graph=True` that is of no use any more."""
    assert scene.story is not None
    site = scene.story.first.site
    if not isinstance(site, ast.Call) or not scene.here(site):
        return []
    keyword = next((k for k in site.keywords if k.arg == "retain_graph"), None)
    return [] if keyword is None else [without_argument(scene, site, keyword)]


def _what(slice_: list[ast.stmt]) -> str:
    """The names that a slice makes, in the order of the text, the last one first where they are many."""
    names = made(slice_)
    return quoted(names) if len(names) < 4 else f"`{made(slice_[-1:])[-1]}` and what leads to it"


def made(slice_: list[ast.stmt]) -> list[str]:
    """The names that statements bind, in the order of the text."""
    return list(dict.fromkeys(name for statement in slice_ for name in _targets(statement)))


def _targets(statement: ast.stmt) -> list[str]:
    """The names that a statement binds, in the order of the text, but for a loop's own."""
    if isinstance(statement, ast.For):
        return made(statement.body)
    own = bound([statement])
    nodes = (n for n in walk_scope([statement]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return [n.id for n in nodes if n.id in own]
