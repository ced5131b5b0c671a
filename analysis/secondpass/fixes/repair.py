"""Cuts that are there but do not cut, made to do their work.

`v = v.detach()` in a loop over a dict's items binds a name and nothing else; the result of `h.detach()` alone is
thrown away; a helper returns `(h.detach(), c)` and forgets `c`. Where such a line explains the finding, mending it is
the fix people expect.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from .change import Change
from .places import FUNCTIONS, Function, walk_scope
from .scene import Candidate, Scene

MOST = 6


def candidates(scene: Scene) -> Iterator[Candidate]:
    for index, candidate in enumerate(_found(scene)):
        if index >= MOST:
            return
        yield candidate


def _found(scene: Scene) -> Iterator[Candidate]:
    for node in scene.places.nodes:
        if isinstance(node, ast.Expr) and _detaches(node.value):
            yield from _dropped(scene, node)
        elif isinstance(node, ast.For):
            yield from _rebound(scene, node)
        elif isinstance(node, (ast.Tuple, ast.List, ast.Dict)):
            yield from _forgotten(scene, node)
        elif isinstance(node, FUNCTIONS):
            yield from _passed_on(scene, node)


def _detaches(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "detach"
        and not node.args
    )


def _dropped(scene: Scene, statement: ast.Expr) -> Iterator[Candidate]:
    """`h.detach()` as a statement of its own."""
    call = statement.value
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    owner = call.func.value
    if not isinstance(owner, (ast.Name, ast.Attribute, ast.Subscript)):
        return
    name = scene.page.code(owner)
    yield Candidate(
        "keep-detached",
        f"Bind the result of `{name}.detach()` to `{name}` (gradients stop there, as was meant)",
        "changes-gradients",
        partial(_bound, scene, statement, name, owner),
        3,
    )


def _bound(scene: Scene, statement: ast.Expr, name: str, owner: ast.expr) -> tuple[Change, ...] | None:
    at = scene.page.start(statement)
    if isinstance(owner, ast.Subscript):
        container = scene.shape_at(scene.page.code(owner.value), statement)
        if container is None or container.kind not in ("list", "dict", "tensor"):
            return None  # an element of a tuple cannot be set
    return (Change(at, at, f"{name} = "),)


def _rebound(scene: Scene, loop: ast.For) -> Iterator[Candidate]:
    """`for k, v in d.items(): v = v.detach()`: the element is to be replaced in its container."""
    source = loop.iter
    for statement in loop.body:
        if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _detaches(statement.value)):
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or ast.unparse(statement.value) != f"{target.id}.detach()":
            continue
        place = _place(scene, loop, source, target.id)
        if place is not None:
            text, changes = place
            yield Candidate(
                "keep-detached",
                f"Put the detached `{target.id}` back into `{text}` (gradients stop there, as was meant)",
                "changes-gradients",
                partial(_put_back, scene, loop, target, text, changes),
                3,
            )


def _put_back(
    scene: Scene, loop: ast.For, target: ast.Name, text: str, changes: tuple[Change, ...]
) -> tuple[Change, ...] | None:
    shape = scene.shape_at(text.rpartition("[")[0], loop)
    if shape is None or shape.kind not in ("list", "dict"):
        return None
    return (scene.page.replace(target, text), *changes)


def _place(scene: Scene, loop: ast.For, source: ast.expr, name: str) -> tuple[str, tuple[Change, ...]] | None:
    """How the element of a loop is named in the container the loop goes over, and what the header needs for that."""
    page, target = scene.page, loop.target
    if isinstance(target, ast.Tuple) and len(target.elts) == 2 and all(isinstance(e, ast.Name) for e in target.elts):
        key, value = (page.code(e) for e in target.elts)
        if value != name or not isinstance(source, ast.Call):
            return None
        if isinstance(source.func, ast.Attribute) and source.func.attr == "items" and not source.args:
            return f"{page.code(source.func.value)}[{key}]", ()
        if isinstance(source.func, ast.Name) and source.func.id == "enumerate" and len(source.args) == 1:
            return f"{page.code(source.args[0])}[{key}]", ()
    if isinstance(target, ast.Name) and target.id == name and isinstance(source, (ast.Name, ast.Attribute)):
        index, container = page.free_name("i", "j", "index"), page.code(source)
        header = (page.replace(target, f"{index}, {name}"), page.replace(source, f"enumerate({container})"))
        return f"{container}[{index}]", header
    return None


def _passed_on(scene: Scene, function: Function) -> Iterator[Candidate]:
    """`if isinstance(h, Tensor): return h.detach()`, then `return h`: what is no tensor goes through as it came."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    returns = [n for n in walk_scope(function.body) if isinstance(n, ast.Return) and n.value is not None]
    for argument in arguments:
        name = argument.arg
        cut = any(_detaches(r.value) and ast.unparse(r.value) == f"{name}.detach()" for r in returns if r.value)
        left = [r.value for r in returns if isinstance(r.value, ast.Name) and r.value.id == name]
        if cut and len(left) == 1 and len(arguments) == 1:
            yield Candidate(
                "detach-too",
                f"Let `{function.name}` detach what is in `{name}`, too (gradients stop there, as was meant)",
                "changes-gradients",
                partial(_each, scene, function, left[0]),
                3,
            )


def _each(scene: Scene, function: Function, value: ast.Name) -> tuple[Change, ...] | None:
    """What a helper hands back unchanged, each element through the helper itself."""
    shape = scene.shape_at(value.id, scene.places.statement(value))
    texts = {
        "tuple": f"tuple({function.name}(v) for v in {value.id})",
        "list": f"[{function.name}(v) for v in {value.id}]",
        "dict": f"{{k: {function.name}(v) for k, v in {value.id}.items()}}",
    }
    if shape is None or shape.kind not in texts:
        return None
    return (scene.page.replace(value, texts[shape.kind]),)


def _forgotten(scene: Scene, display: ast.Tuple | ast.List | ast.Dict) -> Iterator[Candidate]:
    """`(h.detach(), c)`: some elements are cut, plain names beside them are not."""
    elements = display.values if isinstance(display, ast.Dict) else display.elts
    if not any(_detaches(element) for element in elements):
        return
    left = [e for e in elements if isinstance(e, (ast.Name, ast.Attribute, ast.Subscript))]
    if left and isinstance(getattr(display, "ctx", ast.Load()), ast.Load):
        named = " and ".join(f"`{scene.page.code(e)}`" for e in left)
        yield Candidate(
            "detach-too",
            f"Detach {named} too, as what stands beside it (gradients stop there)",
            "changes-gradients",
            partial(_detached, scene, left),
            4,
        )


def _detached(scene: Scene, elements: Sequence[ast.expr]) -> tuple[Change, ...]:
    return tuple(Change(scene.page.end(e), scene.page.end(e), ".detach()") for e in elements)
