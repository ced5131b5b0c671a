"""The ways in which a loop elsewhere may use what a file offers: methods called again and again, one method's results
handed to another's parameter of that name, generators consumed by what walks each of their losses.

Nobody in sight does so: whatever is called by its own file is shown by that, and left to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from secondpass.machine.elsewhere import RESETS
from secondpass.machine.graph import Node
from secondpass.machine.values import Class, Dict, Function, Obj, Seq, Tensor, Unknown, V
from secondpass.source.attributes import stored

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

WALKING = re.compile(r"\.(?:manual_)?backward\(|autograd\.grad\(")
LOSS = re.compile(r"loss|err|cost|objective|nll|elbo|\.(?:mean|sum)\(\)$", re.I)
"""What a generator yields that is walked one by one."""
WALKED = re.compile(
    r"(?:^|_)(?:\w*loss(?:es)?|errors?|err|cost|objective|nll|elbo|energy|penalty)(?:_?[GD]|_\w+)?\d*$", re.I
)
"""Names people give to what they walk."""
DEPTH = 3
"""How deep an object is searched for graphs."""
FEW = 3
"""How many ways beside the plain one are tried of one entry."""


@dataclass(frozen=True, slots=True)
class Way:
    """How an entry is run: by itself, or as a part of what a loop elsewhere does in each iteration."""

    given: frozenset[str] = frozenset()
    """Parameters with a default that are given all the same."""
    before: tuple[Function, ...] = ()
    """Methods of the same object, or functions, that are called before it in each iteration."""
    feeds: tuple[tuple[str, int | None], ...] = ()
    """Its parameters that what is called before it provides: all of its result, or the part of that number."""
    walked: frozenset[str] = frozenset()
    """Parameters that are losses, with a graph: what is walked is made of them."""
    said: str = ""
    """What is assumed, if not that it is called as its parameters suggest."""


PLAIN = Way()


class Mentions:
    """Which names a file mentions other than where it defines them."""

    def __init__(self, text: str) -> None:
        self._dotted = set(re.findall(r"\.(\w+)", text))
        self._plain = set(re.findall(r"(?<!def )(?<!class )(?<![\w.])([A-Za-z_]\w*)", text))

    def calls(self, fn: Function, owner: Class | None) -> bool:
        """Whether the file itself calls a function or method, in whatever place."""
        if owner is None:
            return fn.name in self._plain
        return owner.name in self._plain if fn.name == "__call__" else fn.name in self._dotted


def holds_graph(value: V, depth: int = DEPTH, seen: set[int] | None = None) -> bool:
    """Whether an object keeps what has a history."""
    seen = set() if seen is None else seen
    if id(value) in seen or depth < 0:
        return False
    seen.add(id(value))
    if type(value) is Tensor:
        return type(value.node) is Node
    if type(value) is Unknown:
        return value.history is not None
    if type(value) is Seq:
        return any(holds_graph(item, depth - 1, seen) for item in value.items)
    if type(value) is Dict:
        return any(holds_graph(item, depth - 1, seen) for _, item in value.items.values())
    if type(value) is Obj:
        return any(holds_graph(item, depth - 1, seen) for key, item in value.attrs.items() if key != "@tensor")
    return False


def ways(
    functions: Sequence[Function], node: ast.AST, fn: Function, owner: Class | None, mentions: Mentions
) -> list[Way]:
    """How else an entry may be used, beside by itself."""
    if type(node) is ast.ClassDef or mentions.calls(fn, owner):
        return _with_defaults_given(fn)
    others = [one for one in _beside(functions, owner) if one is not fn and not mentions.calls(one, owner)]
    found = [*_fed(fn, others), *_consumes(fn, functions), *_after(fn, others, owner)]
    return [*found[:FEW], *_with_defaults_given(fn)]


def _beside(functions: Sequence[Function], owner: Class | None) -> list[Function]:
    """The public methods of the same class, or the functions of the same file."""
    if owner is not None:
        kept = {k: v for cls in reversed(owner.mro) for k, v in cls.attrs.items() if type(v) is Function}
        return [v for k, v in kept.items() if not k.startswith("_")]
    return [one for one in functions if one.owner is None and one.closure is None]


def _fed(fn: Function, others: Sequence[Function]) -> Iterator[Way]:
    """What another returns under a name is the parameter of that name."""
    wanted = _needed(fn)
    for other in others:
        if other.generator:
            continue
        feeds = [(name, place) for name, place in _returned(other.node) if name in wanted]
        if feeds:
            said = f"`{other.name}` provides {' and '.join(f'`{name}`' for name, _ in feeds)} of `{fn.name}`"
            yield Way(before=(other,), feeds=tuple(feeds), said=said)


def _needed(fn: Function) -> list[str]:
    names: list[str] = fn.params.names
    return [name for name in names if name not in ("self", "cls")]


def _returned(node: ast.AST) -> list[tuple[str, int | None]]:
    """The names under which a function returns what it returns, each with its place in a tuple."""
    found: dict[str, int | None] = {}
    for one in _own(node):
        if isinstance(one, ast.Return) and isinstance(one.value, ast.Name):
            found[one.value.id] = None
        elif isinstance(one, ast.Return) and isinstance(one.value, ast.Tuple):
            found.update({part.id: i for i, part in enumerate(one.value.elts) if isinstance(part, ast.Name)})
    return list(found.items())


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The syntax of a function without that of the functions inside it."""
    todo = list(ast.iter_child_nodes(node))
    while todo:
        one = todo.pop(0)
        yield one
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(one))


def _consumes(fn: Function, functions: Sequence[Function]) -> Iterator[Way]:
    """A function that walks each element of a parameter, and a generator of the file that yields losses."""
    walked = _walked_one_by_one(fn.node) & set(_needed(fn))
    if len(walked) != 1:
        return
    (name,) = walked
    for other in functions:
        if other.generator and other is not fn and _yields_losses(other.node):
            yield Way(before=(other,), feeds=((name, None),), said=f"`{name}` is what `{other.name}` yields")


def _walked_one_by_one(node: ast.AST) -> set[str]:
    """The names over which a loop goes that walks each element by itself."""
    found: set[str] = set()
    for loop in _own(node):
        if not isinstance(loop, ast.For):
            continue
        targets = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        walks = {
            call.func.value.id
            for call in ast.walk(loop)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "backward"
            and isinstance(call.func.value, ast.Name)
        }
        if targets & walks:
            found |= {n.id for n in ast.walk(loop.iter) if isinstance(n, ast.Name)}
    return found


def _yields_losses(node: ast.AST) -> bool:
    yielded = [one.value for one in _own(node) if isinstance(one, ast.Yield) and one.value is not None]
    return bool(yielded) and all(LOSS.search(ast.unparse(value)) for value in yielded)


def _after(fn: Function, others: Sequence[Function], owner: Class | None) -> Iterator[Way]:
    """A method that walks what other methods of the object have put on it (`act`, `act`, `learn`).

    If another method ends that, it is called as well, and who knows when.
    """
    if owner is None or WALKING.search(_text(fn.node)) is None:
        return
    read = set(re.findall(r"\bself\.(\w+)", _text(fn.node)))
    ended = {name for one in others if RESETS.search(one.name) for name in re.findall(r"self\.(\w+)", _text(one.node))}
    first: list[Function] = []
    for other in others:
        text = _text(other.node)
        kept = set(stored(text)) & read - ended
        if kept and not other.generator and not WALKING.search(text) and other.name not in ("forward", "train", "eval"):
            first.append(other)
    if first:
        names = [f"`{one.name}`" for one in (*first, fn)]
        said = f"{', '.join(names[:-1])} and {names[-1]} are called in turn on one object"
        yield Way(before=tuple(one for one in first for _ in range(2)), said=said)


def losses_given(fn: Function) -> Way | None:
    """A walk met no graph, so its loss is made of something that has one: what is called a loss is believed to."""
    names = fn.params.names
    found = [name for name in names[: len(names) - len(fn.defaults)] if WALKED.search(name)]
    if not found:
        return None
    said = " and ".join(f"`{name}`" for name in found)
    return Way(walked=frozenset(found), said=f"`{fn.name}` is given {said} with a graph")


def _with_defaults_given(fn: Function) -> list[Way]:
    """Parameters whose default hides a branch (`if batch is None`), each given by itself."""
    names = fn.params.names
    defaults = dict(zip(names[len(names) - len(fn.defaults) :], fn.defaults, strict=True)) | fn.kw_defaults
    hidden = [name for name, value in defaults.items() if value is None or value is False]
    if not hidden:
        return []
    tested = {n.id for test in _tests(fn.node) for n in ast.walk(test) if isinstance(n, ast.Name)}
    chosen = [name for name in hidden if name in tested][:FEW]
    return [Way(given=frozenset([name]), said=f"`{fn.name}` is given `{name}`") for name in chosen]


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    for one in _own(node):
        if isinstance(one, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            yield one.test
        elif isinstance(one, ast.BoolOp):
            yield one


def _text(node: Any) -> str:
    return "\n".join(node.unit.table.lines[node.lineno - 1 : node.end_lineno])


def part_of(m: Machine, result: V, place: int | None, site: ast.AST) -> V:
    """What one call provides for a parameter of the next."""
    from secondpass.machine.containers import get_item

    return result if place is None else get_item(m, result, place, site)
