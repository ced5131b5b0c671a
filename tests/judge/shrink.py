"""Make a program small while it stays interesting.

Works on the syntax tree: takes statements away, puts a block in the place of its `if`, `for` or `with`, and puts parts
of expressions in the place of the whole, as long as the given test says that what made the program interesting is
still there. Greedy, largest pieces first, until nothing more can go.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

Test = Callable[[str], bool]
Change = tuple[int, str, int, str]
"""Which node (in the order of ast.walk), which of its fields, which item of it, and what to do: see `_apply`."""


def shrink(text: str, interesting: Test) -> str:
    """The smallest text found for which the test holds; `text` itself must pass it, apart from its formatting."""
    current = ast.unparse(ast.parse(text)) + "\n"
    if not interesting(current):
        return text
    seen = {current}
    while True:
        before = current
        for changes in (_deletions, _hoists, _simplifications):
            current = _pass(current, changes, interesting, seen)
        if current == before:
            return current


def _pass(text: str, changes: Callable[[ast.Module], list[Change]], interesting: Test, seen: set[str]) -> str:
    at = 0
    options = changes(ast.parse(text))
    while at < len(options):
        smaller = _apply(text, options[at])
        if smaller is None or smaller in seen:
            at += 1
            continue
        seen.add(smaller)
        if len(smaller) < len(text) and interesting(smaller):
            text, options = smaller, changes(ast.parse(smaller))
        else:
            at += 1
    return text


def _blocks(tree: ast.Module) -> Iterator[tuple[int, str, list[ast.stmt]]]:
    for number, node in enumerate(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield number, name, block


def _deletions(tree: ast.Module) -> list[Change]:
    sized: list[tuple[int, Change]] = []
    for number, name, block in _blocks(tree):
        for item, statement in enumerate(block):
            if not isinstance(statement, ast.Pass):
                sized.append((len(ast.unparse(statement)), (number, name, item, "delete")))
    return [change for _, change in sorted(sized, key=lambda pair: -pair[0])]


def _hoists(tree: ast.Module) -> list[Change]:
    compound = (ast.If, ast.For, ast.While, ast.With, ast.Try)
    return [
        (number, name, item, "hoist")
        for number, name, block in _blocks(tree)
        for item, statement in enumerate(block)
        if isinstance(statement, compound)
    ]


def _simplifications(tree: ast.Module) -> list[Change]:
    changes: list[Change] = []
    for number, node in enumerate(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                changes += [(number, name, -1, f"child {k}") for k in range(len(_children(value)))]
            elif isinstance(value, list) and not (value and isinstance(value[0], ast.stmt)):
                for item, part in enumerate(value):
                    changes.append((number, name, item, "drop"))
                    if isinstance(part, ast.expr):
                        changes += [(number, name, item, f"child {k}") for k in range(len(_children(part)))]
    return changes


def _children(node: ast.expr) -> list[ast.expr]:
    """The expressions that may stand in this one's place."""
    if isinstance(node, ast.Call):
        inner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*inner, *node.args, *(keyword.value for keyword in node.keywords)]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _apply(text: str, change: Change) -> str | None:
    number, name, item, what = change
    tree = ast.parse(text)
    node = next(node for at, node in enumerate(ast.walk(tree)) if at == number)
    value = getattr(node, name)
    if what == "delete":
        del value[item]
        if not value and name == "body" and not isinstance(node, ast.Module):
            value.append(ast.Pass())
    elif what == "hoist":
        inner = value[item]
        value[item : item + 1] = [*inner.body, *getattr(inner, "finalbody", [])]
    elif what == "drop":
        del value[item]
    else:
        whole = value if item < 0 else value[item]
        part = _children(whole)[int(what.split()[1])]
        if item < 0:
            setattr(node, name, part)
        else:
            value[item] = part
    try:
        smaller = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        ast.parse(smaller)
    except (SyntaxError, ValueError, TypeError, AttributeError, IndexError):
        return None
    return smaller
