"""One walk in place of two, or two walks over one forward: sums of losses, `retain_graph=True`, and its removal."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .change import Change
from .places import names_loaded, names_stored, walk_scope
from .scene import Candidate, Scene, quoted, short

KEEPING = ("retain_graph", "True")
LAST = 39
"""The rank of keeping a graph: behind whatever leaves the meaning and keeps no memory."""
NUMBERS = {"item", "detach", "data", "numpy", "tolist"}
"""What is asked of a tensor whose graph does not matter."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    yield from summed(scene)
    yield from summed_in_branch(scene)
    yield from step_last(scene)
    yield from differentiated(scene)
    yield from retained(scene)


def summed(scene: Scene) -> Iterator[Candidate]:
    """`a.backward(); b.backward()` in one block becomes `(a + b).backward()`."""
    walks = _two_walks(scene)
    if walks is None:
        return
    first, second, one, two = walks
    places, page = scene.places, scene.page
    try:
        block = places.block(one)
    except LookupError:
        return
    if not any(statement is two for statement in block) or _apart(block, one, two):
        return
    a, b = _root(page.code, first), _root(page.code, second)
    if a is None or b is None or ast.dump(a[1]) == ast.dump(b[1]):
        return
    together = f"{_term(page.code(a[1]), a[1])} + {_term(page.code(b[1]), b[1])}"
    if a[0] == "scaled":
        changes = (page.removed(one), Change(page.start(b[1]), page.end(b[1]), together))
    else:
        grouped = page.start(b[1]) > page.start(two)  # `(a * b).backward()`
        changes = (page.removed(one), page.replace(b[1], together if grouped else f"({together})"))
    yield Candidate(
        "sum-losses",
        f"Walk once over `{' '.join(together.split())[:60]}` (the same gradients in one pass)",
        "safe",
        changes,
        10,
    )


def summed_in_branch(scene: Scene) -> Iterator[Candidate]:
    """`a.backward()`, then `if ...: b.backward()`: the second loss is added to the first, and one walk follows both."""
    walks = _two_walks(scene)
    if walks is None:
        return
    first, second, one, two = walks
    places, page = scene.places, scene.page
    branch = places.owner(two)
    if not isinstance(branch, ast.If) or branch.orelse:
        return
    block = places.block(branch)
    if two is not branch.body[-1] or not any(s is one for s in block) or _apart(block, one, branch):
        return
    a, b = _root(page.code, first), _root(page.code, second)
    if a is None or b is None or a[0] != "plain" or b[0] != "plain":
        return
    total = page.free_name("total_loss")
    added = f"{total} = {total} + {_term(page.code(b[1]), b[1])}"
    yield Candidate(
        "sum-losses",
        f"Walk once over {quoted([page.code(a[1]), page.code(b[1])])} together (the same gradients in one pass)",
        "safe",
        lambda: (
            page.replace(one, f"{total} = {page.code(a[1])}"),
            page.replace(two, added),
            page.after(branch, f"{total}.backward()"),
        ),
        10,
    )


def _two_walks(scene: Scene) -> tuple[ast.Call, ast.Call, ast.Expr, ast.Expr] | None:
    """Two plain walks of one iteration in the file that is to be changed, and the statements that they are."""
    story, places = scene.story, scene.places
    if story is None or story.loop is not None or story.first is story.second:
        return None
    first, second = story.first.site, story.walked_site
    if not (_plain_walk(first) and _plain_walk(second)) or not (scene.here(first) and scene.here(second)):
        return None
    assert isinstance(first, ast.Call) and isinstance(second, ast.Call)
    one, two = places.statement(first), places.statement(second)
    if not (isinstance(one, ast.Expr) and one.value is first and isinstance(two, ast.Expr) and two.value is second):
        return None
    return first, second, one, two


def _apart(block: list[ast.stmt], one: ast.stmt, two: ast.stmt) -> bool:
    """Whether a step or a `zero_grad` lies between two statements: then their gradients are not to be added up."""
    start = next(i for i, s in enumerate(block) if s is one)
    end = next(i for i, s in enumerate(block) if s is two)
    return any(_calls(s, "step") or _calls(s, "zero_grad") for s in block[start:end])


def summed_in_loop(scene: Scene) -> Iterator[Candidate]:
    """`for loss in losses: loss.backward()` becomes `sum(losses).backward()`, with the calls around it made once."""
    story, places, page = scene.story, scene.places, scene.page
    loop = scene.loop()
    if story is None or not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or loop.orelse:
        return
    walk = story.walked_site
    if not _plain_walk(walk) or not scene.here(walk) or not places.inside(walk, loop):
        return
    assert isinstance(walk, ast.Call) and isinstance(walk.func, ast.Attribute)
    root = walk.func.value
    if not (isinstance(root, ast.Name) and root.id == loop.target.id):
        return
    lines: list[str] = []
    losses = page.code(_unordered(loop.iter))
    if isinstance(loop.iter, (ast.Tuple, ast.List)) and all(not isinstance(e, ast.Starred) for e in loop.iter.elts):
        together = f"({' + '.join(page.code(e) for e in loop.iter.elts)})"
    else:
        together = f"sum({losses})"
    for statement in loop.body:
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
            return
        if statement.value is walk:
            lines.append(f"{together}.backward()")
        elif names_loaded(statement) & {loop.target.id}:
            return
        else:
            lines.append(page.code(statement))

    def changes() -> tuple[Change, ...]:
        from .block import undone_loop

        return (undone_loop(page, loop, lines),)

    yield Candidate(
        "sum-losses", f"Walk once over `{short(together)}` (the same gradients in one pass)", "safe", changes, 9
    )


def _unordered(node: ast.expr) -> ast.expr:
    """What `reversed(...)` or `list(...)` goes over: a sum does not mind the order."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("reversed", "list", "tuple"):
        return _unordered(node.args[0]) if len(node.args) == 1 and not node.keywords else node
    return node


def after_loop(scene: Scene) -> Iterator[Candidate]:
    """One walk after the loop over the loss that it adds up, with the calls that go with a walk."""
    story, page, places = scene.story, scene.page, scene.places
    loop = scene.loop()
    walk = story.walked_site if story is not None else None
    if loop is None or walk is None or not _plain_walk(walk) or not scene.here(walk):
        return
    going = [s for s in loop.body if _calls(s, "step") or _calls(s, "zero_grad") or _calls(s, "backward")]
    held = places.statement(walk)
    if not any(s is held for s in going) or len(going) == len(loop.body) or loop.orelse:
        return

    def changes() -> tuple[Change, ...] | None:
        lines = [page.code_at(s, page.indent(loop)) for s in going]
        last = going[-1]
        if last is not loop.body[-1]:
            return (*(page.removed(s) for s in going), page.after(loop, *lines))
        if not page.leads(last):
            return None
        below = f"{page.eol}{page.indent(loop)}".join(lines)
        start = page.line_start(last.lineno)
        return (*(page.removed(s) for s in going[:-1]), Change(start, page.end(last), page.indent(loop) + below))

    yield Candidate(
        "walk-after-loop",
        f"Walk once after the loop: `{short(page.code(walk))}` (one step for all iterations)",
        "changes-gradients",
        changes,
        23,
        preferable=False,
    )


def removed(scene: Scene) -> Iterator[Candidate]:
    """One of two walks from the same loss taken out: the second only doubled the gradients."""
    story = scene.story
    if story is None or not story.same_root or story.first.site is story.second.site:
        return
    page, places = scene.page, scene.places
    for order, (which, site) in enumerate((("second", story.walked_site), ("first", story.first.site))):
        other = story.first.site if site is story.walked_site else story.walked_site
        if not (_plain_walk(site) and _plain_walk(other)) or not scene.here(site):
            continue
        statement = places.statement(site)
        if isinstance(statement, ast.Expr) and statement.value is site:
            yield Candidate(
                "remove-walk",
                f"Remove the {which} walk `{short(page.code(site))}` (one walk gives the gradients)",
                "changes-gradients",
                (page.removed(statement),),
                30 + order,
            )


def _root(code: object, call: ast.Call) -> tuple[str, ast.expr] | None:
    """The loss that a walk starts from; `scaled` if a scaler's call stands between."""
    func = call.func
    if not isinstance(func, ast.Attribute):
        return None
    root = func.value
    if (
        isinstance(root, ast.Call)
        and isinstance(root.func, ast.Attribute)
        and root.func.attr == "scale"
        and len(root.args) == 1
    ):
        return "scaled", root.args[0]
    return "plain", root


def _plain_walk(site: ast.AST) -> bool:
    """`x.backward()`, perhaps with `retain_graph=...`, and nothing else."""
    return (
        isinstance(site, ast.Call)
        and isinstance(site.func, ast.Attribute)
        and site.func.attr == "backward"
        and not site.args
        and all(k.arg == "retain_graph" for k in site.keywords)
    )


def _term(text: str, node: ast.expr) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult)):
        inner = text.strip()
        return inner[1:-1] if inner.startswith("(") and inner.endswith(")") and _closed(inner[1:-1]) else inner
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)) else f"({text})"


def _closed(text: str) -> bool:
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def retained(scene: Scene) -> Iterator[Candidate]:
    """`retain_graph=True` on the first of two walks over one forward."""
    story = scene.story
    if story is None or story.kind != "second-time":
        return
    site = story.first.site
    if not isinstance(site, ast.Call) or not scene.here(site):
        return
    old = scene.moved_behind  # the graph of values that a step has since made out of date
    price = "its values stay those before the step, and its memory" if old else "its memory stays"
    yield Candidate(
        "retain-graph",
        f"Keep the graph in `{short(scene.page.code(site))}` (`retain_graph=True`; {price})",
        "costs-memory",
        (with_keyword(scene, site, *KEEPING),),
        8 if _asks(site) else LAST if story.loop is None and not _step_between(scene) else 70,
        preferable=not old and (story.loop is None or not story.built_inside()),
    )


def differentiated(scene: Scene) -> Iterator[Candidate]:
    """`create_graph=True` where a gradient is asked for and goes into a loss: a penalty that is meant to train."""
    story = scene.story
    if story is None or story.kind != "second-time" or story.first.site is story.second.site:
        return
    site = story.first.site
    if not isinstance(site, ast.Call) or not scene.here(site) or not _asks(site) or not _into_loss(scene, site):
        return
    if any(k.arg == "create_graph" for k in site.keywords):
        return
    yield Candidate(
        "create-graph",
        f"Build the graph of the gradient too in `{short(scene.page.code(site))}` "
        "(`create_graph=True`: what is made of it trains; memory for a second graph)",
        "costs-memory",
        (with_keyword(scene, site, "create_graph", "True"),),
        7,
    )


def _into_loss(scene: Scene, site: ast.Call) -> bool:
    """Whether what a call returns goes, by assignments of one function, into what is walked or returned."""
    tainted = names_stored(scene.places.statement(site))
    scope = scene.places.function(site)
    body = getattr(scope, "body", [])
    later = [n for n in walk_scope(body) if isinstance(n, ast.stmt) and n.lineno > site.lineno]
    for statement in sorted(later, key=lambda s: s.lineno):
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.expr) or not names_loaded(value) & tainted:
            continue
        if {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)} & NUMBERS:
            continue
        if isinstance(statement, ast.Return) or _calls(statement, "backward"):
            return True
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            tainted |= names_stored(statement)
    return False


def step_last(scene: Scene) -> Iterator[Candidate]:
    """`optimizer.step()` between two walks of one forward moved after the second, with the first keeping the graph."""
    from .recompute import common_frame

    story, places, page = scene.story, scene.places, scene.page
    frame = common_frame(scene) if story is not None else None
    if story is None or frame is None or not isinstance(story.first.site, ast.Call):
        return
    one, two = frame
    try:
        block = places.block(one)
    except LookupError:
        return
    places_of = [i for i, s in enumerate(block) if s is one or s is two]
    if len(places_of) != 2:
        return
    between = block[places_of[0] + 1 : places_of[1]]
    steps = [s for s in between if _calls(s, "step")]
    if not steps or any(_calls(s, "zero_grad") for s in between):
        return
    kept = story.first.site
    retain = [] if any(k.arg == "retain_graph" for k in kept.keywords) else [with_keyword(scene, kept, *KEEPING)]

    def changes() -> tuple[Change, ...]:
        return (*retain, *(page.removed(s) for s in steps), page.after(two, *(page.code(s) for s in steps)))

    yield Candidate(
        "step-last",
        f"Keep the graph and move `{short(page.code(steps[0]))}` after the last walk (one step for both gradients)",
        "costs-memory",
        changes,
        11 if story.kind == "second-time" else 13.6,
    )


def _step_between(scene: Scene) -> bool:
    """Whether an optimizer may step between the two walks; then keeping the graph only trades errors."""
    from .recompute import common_frame

    frame = common_frame(scene)
    if frame is None:
        return True
    one, two = frame
    scope = scene.places.function(one)
    return any(
        isinstance(n, ast.stmt) and _calls(n, "step") and (one.end_lineno or 0) <= n.lineno <= two.lineno
        for n in ast.walk(scope)
    )


def _calls(statement: ast.stmt, method: str) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == method


def _asks(site: ast.Call) -> bool:
    """Whether the first walk only asks for a gradient (`autograd.grad`): then a second pass over the graph is meant."""
    return isinstance(site.func, ast.Attribute) and site.func.attr == "grad"


def with_keyword(scene: Scene, call: ast.Call, name: str, value: str) -> Change:
    """A call with one keyword set."""
    page = scene.page
    for keyword in call.keywords:
        if keyword.arg == name:
            return page.replace(keyword.value, value)
    end = page.end(call) - 1
    inside = page.text[page.end(call.func) : end].rstrip()
    if not call.args and not call.keywords:
        return Change(end, end, f"{name}={value}")
    if inside.endswith(","):
        at = page.end(call.func) + len(inside)
        return Change(at, at, f" {name}={value}")
    last = max(page.end(n) for n in (*call.args, *call.keywords))
    return Change(last, last, f", {name}={value}")


def needless(scene: Scene) -> Iterator[Candidate]:
    """SP202: a call without its `retain_graph`."""
    keyword = scene.node_at(scene.finding.span, ast.keyword, ast.expr)
    if keyword is None:
        return
    call = scene.places.parents.get(keyword)
    if isinstance(keyword, ast.expr) and isinstance(call, ast.keyword):
        keyword, call = call, scene.places.parents.get(call)
    if not isinstance(call, ast.Call):
        return
    change = without_argument(scene, call, keyword)
    yield Candidate(
        "remove-retain", "Remove `retain_graph` (the graph's memory is freed by this walk)", "safe", (change,), 10
    )


def without_argument(scene: Scene, call: ast.Call, gone: ast.AST) -> Change:
    """A call without one of its arguments, and without the comma that goes with it."""
    page = scene.page
    arguments = sorted((*call.args, *call.keywords), key=page.start)
    index = next(i for i, argument in enumerate(arguments) if argument is gone)
    if index:
        return Change(page.end(arguments[index - 1]), page.end(gone), "")
    if len(arguments) > 1:
        return Change(page.start(gone), page.start(arguments[1]), "")
    start, end = page.start(gone), page.end(gone)
    tail = page.text[end : page.end(call) - 1]
    return Change(start, end + (tail.index(",") + 1 if tail.strip() == "," else 0), "")
