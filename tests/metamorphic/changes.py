"""Ways to write a program again so that it does the same.

Each takes a tree whose statements know where they stood (`origin`) and changes it in place; it says whether it found
anything to change. A statement that is new stands for the one it was made of, or for none.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

Change = Callable[[ast.Module], bool]
CHANGES: dict[str, Change] = {}


def change(make: Change) -> Change:
    CHANGES[make.__name__] = make
    return make


def lines(text: str) -> list[ast.stmt]:
    """New statements, which stand for none of the program's."""
    made = ast.parse(text).body
    for one in made:
        for node in ast.walk(one):
            node.origin = 0  # type: ignore[attr-defined]
    return made


def standing_for(new: ast.stmt, old: ast.stmt) -> ast.stmt:
    """A new statement in the place of an old one; what it holds of that keeps its own places."""
    new.origin = old.origin  # type: ignore[attr-defined]
    return new


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements that runs in order."""
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody"):
            found = getattr(node, field, None)
            if isinstance(found, list) and found and isinstance(found[0], ast.stmt):
                yield found


def start(body: list[ast.stmt]) -> int:
    """Where the statements after a docstring and `from __future__` begin."""
    at = 0
    while at < len(body) and (
        (isinstance(body[at], ast.Expr) and isinstance(body[at].value, ast.Constant))  # type: ignore[attr-defined]
        or (isinstance(body[at], ast.ImportFrom) and body[at].module == "__future__")  # type: ignore[attr-defined]
    ):
        at += 1
    return at


def loops(tree: ast.AST) -> list[ast.For | ast.While]:
    return [n for n in ast.walk(tree) if isinstance(n, (ast.For, ast.While))]


def inside(body: list[ast.stmt], *kinds: type[ast.AST]) -> bool:
    return any(isinstance(n, kinds) for s in body for n in ast.walk(s))


def stored(body: list[ast.stmt]) -> set[str]:
    """The names that are bound here."""
    return {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


@change
def idle_statements(tree: ast.Module) -> bool:
    """A statement without effect between any two."""
    for body in list(blocks(tree)):
        for at in range(len(body), start(body) - 1, -1):
            body[at:at] = lines("idle_number = 3 * 14")
    return True


@change
def idle_numbers_in_loops(tree: ast.Module) -> bool:
    for loop in loops(tree):
        loop.body[:0] = lines("idle_number = 7\nidle_number += 1\nidle_text = f'{idle_number} of 8'")
    return bool(loops(tree))


@change
def idle_choices(tree: ast.Module) -> bool:
    """More branches on what is not known than there are runs, none of which touches a tensor."""
    for loop in loops(tree):
        loop.body[:0] = lines(
            "idle_notes = []\n"
            + "".join(f"if idle_random.random() < 0.{n + 1}:\n    idle_notes.append({n})\n" for n in range(9))
        )
    tree.body[start(tree.body) : start(tree.body)] = lines("import random as idle_random")
    return bool(loops(tree))


@change
def idle_function(tree: ast.Module) -> bool:
    at = start(tree.body)
    tree.body[at:at] = lines(
        "def idle_helper(rows):\n    found = []\n    for row in rows:\n"
        "        if row % 3 == 0:\n            found.append(row)\n"
        "    return found\n\nidle_found = idle_helper(range(20))"
    )
    return True


@change
def decided_branches(tree: ast.Module) -> bool:
    """Every loop's body under a condition that holds."""
    for loop in loops(tree):
        (under,) = lines("if len('ab') == 2:\n    pass")
        assert isinstance(under, ast.If)
        under.body, loop.body = loop.body, [under]
    return bool(loops(tree))


@change
def exchanged_branches(tree: ast.Module) -> bool:
    """`if not c: b else: a` for `if c: a else: b`."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.If) and n.orelse]
    for node in found:
        node.test = ast.UnaryOp(ast.Not(), node.test)
        node.body, node.orelse = node.orelse, node.body
    return bool(found)


@change
def twice_denied(tree: ast.Module) -> bool:
    found = [n for n in ast.walk(tree) if isinstance(n, (ast.If, ast.While))]
    for node in found:
        node.test = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), node.test))
    return bool(found)


@change
def other_names(tree: ast.Module) -> bool:
    """Every name that the program binds by an assignment or a loop, and nothing else does, is another."""
    nodes = list(ast.walk(tree))
    taken: set[str] = set(dir(builtins))
    for node in nodes:
        if isinstance(node, ast.arg):
            taken.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            taken.add(node.name)
        elif isinstance(node, ast.alias):
            taken.update((node.asname or node.name).split(".")[:1])
        elif isinstance(node, ast.keyword) and node.arg:
            taken.add(node.arg)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            taken.add(node.name)
    for cls in (n for n in nodes if isinstance(n, ast.ClassDef)):
        taken.update(t.id for s in cls.body for t in ast.walk(s) if isinstance(t, ast.Name))
    names = {n for n in stored(tree.body) - taken if not n.startswith("__")}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in names:
            node.id = f"{node.id}_q"
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [f"{n}_q" if n in names else n for n in node.names]
    return bool(names)


@change
def counted_by_while(tree: ast.Module) -> bool:
    """`for i in range(n)` as a `while`."""
    changed = False
    for number, body in enumerate(list(blocks(tree))):
        for at in range(len(body) - 1, -1, -1):
            loop = body[at]
            if (
                not isinstance(loop, ast.For)
                or loop.orelse
                or not isinstance(loop.target, ast.Name)
                or not (isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name))
                or loop.iter.func.id != "range"
                or len(loop.iter.args) != 1
                or inside(loop.body, ast.Continue, ast.Nonlocal, ast.Global)
            ):
                continue
            count, name = f"count_{number}_{at}", loop.target.id
            made = lines(f"{count} = 0\nwhile {count} < 0:\n    {name} = {count}\n    {count} += 1")
            while_ = made[1]
            assert isinstance(while_, ast.While) and isinstance(while_.test, ast.Compare)
            while_.test.comparators = loop.iter.args
            while_.body[1:1] = loop.body
            standing_for(while_, loop)
            body[at : at + 1] = made
            changed = True
    return changed


@change
def numbered(tree: ast.Module) -> bool:
    """`for x in xs` with the number of each."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.For)]
    for loop in found:
        number = ast.Name("idle_place", ast.Store())
        loop.target = ast.Tuple([number, loop.target], ast.Store())
        loop.iter = ast.Call(ast.Name("enumerate", ast.Load()), [loop.iter], [])
    return bool(found)


@change
def in_a_function(tree: ast.Module) -> bool:
    """All statements at the top that are no definitions, in a function that is called."""
    head = [s for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))]
    first = next((i for i, s in enumerate(tree.body) if s not in head), len(tree.body))
    rest = tree.body[first:]
    if not rest or inside(tree.body, ast.Global) or any(s in head for s in rest):
        return False
    used = {n.id for s in head for n in ast.walk(s) if isinstance(n, ast.Name)}
    if used & stored(rest):
        return False
    made = lines("def everything():\n    pass\n\neverything()")
    assert isinstance(made[0], ast.FunctionDef)
    made[0].body = rest
    tree.body[first:] = made
    return True


@change
def in_a_try(tree: ast.Module) -> bool:
    for loop in loops(tree):
        (around,) = lines("try:\n    pass\nfinally:\n    idle_number = 1")
        assert isinstance(around, ast.Try)
        around.body, loop.body = loop.body, [around]
    return bool(loops(tree))


@change
def in_a_context(tree: ast.Module) -> bool:
    for loop in loops(tree):
        (around,) = lines("with idle_contextlib.nullcontext():\n    pass")
        assert isinstance(around, ast.With)
        around.body, loop.body = loop.body, [around]
    tree.body[start(tree.body) : start(tree.body)] = lines("import contextlib as idle_contextlib")
    return bool(loops(tree))


@change
def step_by_a_helper(tree: ast.Module) -> bool:
    """The body of each loop at the top of the file becomes a function with its names."""
    changed = False
    for at in range(len(tree.body) - 1, -1, -1):
        loop = tree.body[at]
        if (
            not isinstance(loop, ast.For)
            or inside(loop.body, ast.Continue, ast.Break, ast.Global, ast.Yield, ast.YieldFrom, ast.FunctionDef)
            or inside(loop.body, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom, ast.NamedExpr, ast.Delete)
        ):
            continue
        inner = [
            n for s in loop.body for c in ast.walk(s) if isinstance(c, ast.comprehension) for n in ast.walk(c.target)
        ]
        names = sorted(stored(loop.body) - {n.id for n in inner if isinstance(n, ast.Name)})
        header = f"    global {', '.join(names)}\n" if names else ""
        made = lines(f"def step_{at}():\n{header}    pass")
        assert isinstance(made[0], ast.FunctionDef)
        made[0].body[-1:] = loop.body
        loop.body = lines(f"step_{at}()")
        tree.body[at:at] = made
        changed = True
    return changed


@change
def spoken_names(tree: ast.Module) -> bool:
    """What is assigned to a name is first given another."""
    changed = False
    for body in list(blocks(tree)):
        for at in range(len(body) - 1, -1, -1):
            node = body[at]
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                if isinstance(node.value, ast.Constant):
                    continue
                (after,) = lines("a = given_value")
                assert isinstance(after, ast.Assign)
                after.targets = node.targets
                node.targets = [ast.Name("given_value", ast.Store())]
                body.insert(at + 1, standing_for(after, node))
                changed = True
    return changed


@change
def lists_for_tuples(tree: ast.Module) -> bool:
    """A tuple that is assigned, of which nobody asks what it is."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Assign) and isinstance(n.value, ast.Tuple)]
    for node in found:
        assert isinstance(node.value, ast.Tuple)
        if not any(isinstance(e, ast.Starred) for e in node.value.elts):
            node.value = ast.List(node.value.elts, ast.Load())
    return bool(found)


@change
def one_round_around(tree: ast.Module) -> bool:
    """Each loop at the top of the file in a loop of one round."""
    found = [i for i, s in enumerate(tree.body) if isinstance(s, (ast.For, ast.While))]
    for at in found:
        (around,) = lines("for idle_round in range(1):\n    pass")
        assert isinstance(around, ast.For)
        around.body, tree.body[at] = [tree.body[at]], around
    return bool(found)
