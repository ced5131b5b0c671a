"""Where things stand in a syntax tree: the statement, block, function and loop around a node."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
SILENT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Places:
    """One tree, seen from below."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node but contexts and operators, in the order of the text, outer ones first."""
        return [self.tree, *self.parents]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        found: dict[ast.AST, ast.AST] = {}
        todo: list[tuple[ast.AST, ast.AST]] = [(self.tree, self.tree)]
        while todo:
            node, parent = todo.pop()
            found[node] = parent
            children = [(child, node) for child in ast.iter_child_nodes(node) if not isinstance(child, SILENT)]
            todo.extend(reversed(children))
        del found[self.tree]
        return found

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around `node`, innermost first."""
        at = self.parents.get(node)
        while at is not None:
            yield at
            at = self.parents.get(at)

    def inside(self, node: ast.AST, outer: ast.AST) -> bool:
        return node is outer or any(at is outer for at in self.around(node))

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that is or holds `node`."""
        at: ast.AST | None = node
        while at is not None and not isinstance(at, ast.stmt):
            at = self.parents.get(at)
        if at is None:
            raise LookupError("a node outside every statement")
        return at

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which `statement` stands."""
        owner = self.parents[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and any(one is statement for one in block):
                return block
        raise LookupError("a statement in no block")

    def function(self, node: ast.AST) -> ast.AST:
        """The function or module whose names `node` sees."""
        for at in self.around(node):
            if isinstance(at, (*FUNCTIONS, ast.Lambda, ast.Module)):
                return at
        return self.tree

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class in whose method `node` stands."""
        return next((at for at in self.around(node) if isinstance(at, ast.ClassDef)), None)

    def chain(self, statement: ast.stmt, outer: ast.AST) -> list[ast.stmt]:
        """`statement` and the statements around it, innermost first, as far as they lie in `outer`."""
        found = [statement]
        for at in self.around(statement):
            if at is outer:
                return found
            if isinstance(at, ast.stmt):
                found.append(at)
        return []

    def owner(self, statement: ast.stmt) -> ast.AST:
        return self.parents[statement]


def walk_scope(nodes: list[ast.stmt] | ast.AST) -> Iterator[ast.AST]:
    """Every node of one scope, without what stands in functions and classes inside it, in the order of the text."""
    todo: list[ast.AST] = list(reversed(nodes)) if isinstance(nodes, list) else [nodes]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo.extend(reversed(list(ast.iter_child_nodes(node))))


def names_stored(nodes: list[ast.stmt] | ast.AST) -> set[str]:
    return {n.id for n in walk_scope(nodes) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def bound(statements: Iterable[ast.stmt]) -> set[str]:
    """Names the statements bind; an attribute counts by the whole expression."""
    found: set[str] = set()
    for statement in statements:
        inner = {n for c in walk_scope([statement]) if isinstance(c, ast.comprehension) for n in ast.walk(c.target)}
        for node in walk_scope([statement]):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in inner:
                found.add(node.id)
    return found


def names_loaded(nodes: Sequence[ast.AST] | ast.AST) -> set[str]:
    """The names read, in functions and comprehensions inside too."""
    listed = [nodes] if isinstance(nodes, ast.AST) else nodes
    return {n.id for top in listed for n in ast.walk(top) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def exposed(block: list[ast.stmt]) -> list[str]:
    """Names that an iteration of a loop with this body reads before it writes them: what one iteration hands to the
    next.

    Branches count as if they might not run, so a name written in one of them only stays exposed.
    """
    found: dict[str, None] = {}
    _exposed(block, set(), found)
    return list(found)


def _exposed(block: list[ast.stmt], written: set[str], found: dict[str, None]) -> None:
    for statement in block:
        inner = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
        handlers = [handler.body for handler in getattr(statement, "handlers", [])]
        nested = [b for b in (*inner, *handlers) if isinstance(b, list) and b]
        nested += [case.body for case in getattr(statement, "cases", [])]
        if isinstance(statement, SCOPES):
            for name in names_loaded(statement) - written - names_stored(statement.body):
                found.setdefault(name)
            written.add(statement.name)
            continue
        head = [n for n in ast.iter_child_nodes(statement) if isinstance(n, (ast.expr, ast.withitem))]
        for name in sorted(set().union(*(names_loaded(n) for n in head)) if head else ()):
            if name not in written:
                found.setdefault(name)
        target = statement.target if isinstance(statement, ast.AugAssign) else None
        if isinstance(target, ast.Name) and target.id not in written:
            found.setdefault(target.id)
        stored = set().union(*(names_stored(n) for n in head)) if head else set()
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            written |= stored
            _exposed(statement.body, written, found)
        elif nested:
            for part in nested:
                _exposed(part, written | stored, found)
            if isinstance(statement, ast.If) and len(nested) == 2:
                written |= names_stored(nested[0]) & names_stored(nested[1])
        else:
            written |= stored
