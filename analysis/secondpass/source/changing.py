"""A file that is parsed again and again while somebody types: only its changed top-level statements are parsed.

The tree is always what parsing the whole text gives. What did not change keeps its pieces of syntax, moved to their new
lines, so that whoever knows something of them still does. A statement at the top whose text changed is new, but for
this: if nothing but the body of a function or method is another, the definition stays the same piece of syntax and is
given the new body (`Change.bodies`); if not even that (a comment, a space), nothing changed.

Why pieces may be parsed by themselves: a top-level statement ends with its line and the next one begins a line without
indentation, so texts that parse one after the other parse together to the same. What does not parse by itself (an
`else` that was just typed, an open string) goes the long way.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .outline import Function, first_line
from .positions import split_lines
from .source import Source, parse_pieces, quiet_parse
from .twins import twins_of
from .yields import is_generator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Change:
    """What a new text changed in the tree."""

    statements: bool
    """Whether any statement at the top, or in a class, is another than before (bodies of functions apart)."""
    bodies: frozenset[Function] = frozenset()
    """The functions and methods that have a new body."""


@dataclass(frozen=True, slots=True)
class Block:
    """Top-level statements that share a line (mostly one), and the lines they take."""

    first: int
    last: int
    nodes: tuple[ast.stmt, ...]


class Changing:
    """One file's text as it changes. `source` is the same object for all of its texts."""

    def __init__(self, text: str, path: str) -> None:
        """Raises `SourceError` if nothing of the text can be analysed."""
        self.source = Source(path, "", ast.Module([], []))
        self._lines: list[str] | None = None
        self._blocks: list[Block] = []
        self._made: ast.Module | None = None
        self._change = Change(True)
        self.become(text)

    def become(self, text: str) -> Change:
        """Take a new text; raises `SourceError` if nothing of it can be analysed (the earlier tree then stays)."""
        encoding = "utf-8"
        if text.startswith(BOM):
            text, encoding = text[1:], "utf-8-sig"
        if text == self.source.text and self._made is not None:
            return Change(False)
        self._change = Change(True)
        tree, problems, lost = parse_pieces(text, self.source.path, parse=self._parse)
        if tree is not self._made:
            self._lines, self._made = None, None
            self._change = Change(True)
        self.source.become(text, tree, problems, lost, encoding)
        return self._change

    def _parse(self, text: str) -> ast.Module:
        """The tree of a text; what `ast.parse` raises if it has none, and then nothing is changed."""
        lines = split_lines(text)
        change = self._splice(lines) if self._lines is not None else None
        if change is None:
            tree = quiet_parse(text)
            self._blocks = list(_blocks(tree.body))
            change = Change(True)
        else:
            tree = ast.Module([node for block in self._blocks for node in block.nodes], [])
        self._lines, self._made, self._change = lines, tree, change
        return tree

    def _splice(self, lines: list[str]) -> Change | None:
        """Parse again what differs from the lines that there were; None if it does not parse by itself."""
        old, blocks = self._lines or [], self._blocks
        same = _alike(old, lines)
        rest = min(_alike(old[::-1], lines[::-1]), min(len(old), len(lines)) - same)
        delta = len(lines) - len(old)
        # The blocks from `i` on, up to `j`, have changed lines; what lies between blocks is nobody's.
        i = bisect_right(blocks, same, key=lambda block: block.last)
        j = max(i, bisect_left(blocks, len(old) - rest + 1, key=lambda block: block.first))
        while i and old[blocks[i - 1].last - 1].rstrip().endswith("\\"):
            i -= 1
        first = blocks[i - 1].last + 1 if i else 1
        last = (blocks[j].first - 1 if j < len(blocks) else len(old)) + delta
        before = [node for block in blocks[i:j] for node in block.nodes]
        pairing = _Pairing(old, lines)
        try:
            tree = quiet_parse("\n" * (first - 1) + "\n".join(lines[first - 1 : last]))
            alike = pairing.all(before, tree.body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if alike:
            pairing.settle()
            change = Change(False, frozenset(pairing.bodies))
            middle = list(_blocks(before))
        else:
            change = Change(True)
            middle = list(_blocks(tree.body))
        after = blocks[j:]
        if delta:
            for block in after:
                for node in block.nodes:
                    shift(node, delta)
            after = [Block(block.first + delta, block.last + delta, block.nodes) for block in after]
        self._blocks = blocks[:i] + middle + after
        return change


def _blocks(nodes: list[ast.stmt]) -> Iterator[Block]:
    held: list[ast.stmt] = []
    for node in nodes:
        if held and first_line(node) > (held[-1].end_lineno or 0):
            yield Block(first_line(held[0]), held[-1].end_lineno or 0, tuple(held))
            held = []
        held.append(node)
    if held:
        yield Block(first_line(held[0]), held[-1].end_lineno or 0, tuple(held))


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines two texts have in common from their beginning."""
    number = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        number += 1
    return number


class _Pairing:
    """Old statements and the new ones in their place, compared; nothing is changed before `settle`."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self.old = old
        self.new = new
        self.bodies: list[Function] = []
        self._moved: list[tuple[ast.AST, int]] = []
        self._adopted: list[tuple[ast.AST, ast.AST]] = []
        self._given: list[tuple[Function, Function]] = []
        self._ends: list[tuple[ast.stmt, ast.stmt]] = []

    def all(self, old: list[ast.stmt], new: list[ast.stmt]) -> bool:
        return len(old) == len(new) and all(map(self._pair, old, new))

    def _pair(self, old: ast.stmt, new: ast.stmt) -> bool:
        if type(old) is not type(new):
            return False
        if self.old[first_line(old) - 1 : old.end_lineno] == self.new[first_line(new) - 1 : new.end_lineno]:
            self._moved.append((old, new.lineno - old.lineno))
            return True
        if isinstance(old, (*FUNCTIONS, ast.ClassDef)):
            heads = [(_field(old, f), _field(new, f)) for f in old._fields if f != "body"]
            if not all(same(a, b) for a, b in heads):
                return False
            if isinstance(old, ast.ClassDef):
                if not self.all(old.body, new.body):  # type: ignore[attr-defined]
                    return False
            elif not same(old.body, new.body):  # type: ignore[attr-defined]
                if is_generator(old) != is_generator(new):  # type: ignore[arg-type]
                    return False
                self._given.append((old, new))  # type: ignore[arg-type]
            else:
                self._adopted += zip(old.body, new.body, strict=True)  # type: ignore[attr-defined]
            for a, b in heads:
                self._adopted += [(a, b)] if isinstance(a, ast.AST) else zip(a, b, strict=True) if _nodes(a) else []
            self._ends.append((old, new))
            return True
        if not same(old, new):
            return False
        self._adopted.append((old, new))
        return True

    def settle(self) -> None:
        """Move, and give new bodies, as compared."""
        for node, delta in self._moved:
            if delta:
                shift(node, delta)
        for old, new in self._adopted:
            _adopt(old, new)
        for old, new in self._ends:
            _place(old, new)
        for function, fresh in self._given:
            function.body = fresh.body
            self.bodies.append(function)


def _field(node: ast.AST, name: str) -> Any:
    return getattr(node, name, None)


def _nodes(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], ast.AST)


def same(one: Any, other: Any) -> bool:
    """Whether two pieces of syntax are alike but for their places."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.AST):
        return all(same(_field(one, name), _field(other, name)) for name in one._fields)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or one is other


def _adopt(old: ast.AST, new: ast.AST) -> None:
    """Give a piece of syntax the places of one that is alike."""
    _place(old, new)
    for name in old._fields:
        a, b = _field(old, name), _field(new, name)
        if isinstance(a, ast.AST):
            _adopt(a, b)
        elif _nodes(a):
            for x, y in zip(a, b, strict=True):
                if isinstance(x, ast.AST):
                    _adopt(x, y)


def _place(old: ast.AST, new: ast.AST) -> None:
    if hasattr(new, "lineno"):
        for one in (old, *twins_of(old)):
            ast.copy_location(one, new)


def shift(tree: ast.AST, delta: int) -> None:
    """Move a piece of syntax, and all within it, down by so many lines: each once, though a twin holds it again."""
    todo, moved = [tree], set[ast.AST]()
    while todo:
        node = todo.pop()
        if node in moved:
            continue
        moved.add(node)
        values = node.__dict__
        if "lineno" in values:
            values["lineno"] += delta
            values["end_lineno"] += delta
            if "twins" in values:
                todo += twins_of(node)
        for name in node._fields:
            value = values.get(name)
            if isinstance(value, ast.AST):
                todo.append(value)
            elif type(value) is list:
                todo += [one for one in value if isinstance(one, ast.AST)]
