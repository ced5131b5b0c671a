"""The calls of a text that walk a graph, as its syntax names them: `x.backward()`, `autograd.grad(...)`.

Only statements on whose lines such a word stands are looked into.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from secondpass.source.source import Source

METHODS = frozenset(("backward", "manual_backward"))
WORDS = re.compile(r"\.(?:manual_)?backward\b|\bgrad\b")
IMPORTED = re.compile(r"from[ \t]+torch\.autograd[ \t]+import[^\n]*?\bgrad(?:[ \t]+as[ \t]+(\w+))?\b")


@dataclass(frozen=True, slots=True)
class BackwardCall:
    """A call that walks a graph, and the function around it; "" at the top level."""

    call: ast.Call
    function: str


def backward_calls(source: Source) -> list[BackwardCall]:
    """In the order in which they stand."""
    imported = IMPORTED.search(source.text)
    named = (imported[1] or "grad") if imported else ""
    words = re.compile(rf"{WORDS.pattern}|\b{named}\(") if named else WORDS
    lines = [number for number, line in enumerate(source.table.lines, 1) if words.search(line)]
    return list(_calls(source.tree.body, lines, named, "")) if lines else []


def _calls(body: list[ast.stmt], lines: list[int], named: str, function: str) -> Iterator[BackwardCall]:
    for node in body:
        last = node.end_lineno or node.lineno
        if not any(node.lineno <= line <= last for line in lines):
            continue
        inner = node.name if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [part.body for name in ("handlers", "cases") for part in getattr(node, name, [])]
        if not any(blocks):
            yield from (BackwardCall(call, inner) for call in ast.walk(node) if _walks(call, named))  # type: ignore[arg-type]
        for block in blocks:
            yield from _calls(block, lines, named, inner)


def _walks(node: ast.AST, named: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    func = node.func
    if isinstance(func, ast.Name):
        return bool(named) and func.id == named
    if not isinstance(func, ast.Attribute):
        return False
    if func.attr == "grad":
        owner = func.value
        return "autograd" in (getattr(owner, "attr", ""), getattr(owner, "id", ""))
    return func.attr in METHODS
