"""Gives the statements of the user's files their markers: which statement runs, and autograd's next number then.

`_sp_a(SITE << 40 + _sp_s())` stands before each statement, and at a function's entry and return, at the top of a
loop's body and where a generator or coroutine goes on. `_sp_a` appends to the log of the thread, `_sp_s` is torch's
`_get_sequence_nr`; both are builtins so that no module of the user shows a new name.
"""

from __future__ import annotations

import ast
import re
import types
from typing import Any, NamedTuple

SEQ_BITS = 40
SEQ_MASK = (1 << SEQ_BITS) - 1

STMT, ENTRY, RET, LOOP, TICK, HEADER, RESUME, YIELD = range(8)
"""What a marker says: a statement begins, a function is entered or left, a loop begins, an iteration begins, a loop's
header is evaluated again, a generator or coroutine goes on, a generator hands a value out."""


class Site(NamedTuple):
    """A place in the user's text that has a marker."""

    kind: int
    scope: int
    path: str
    line: int
    end_line: int
    loops: tuple[int, ...]
    """The loops of the same function around it, outermost first."""
    loop: int
    """The loop it begins or ticks; -1 for none."""


class Scope(NamedTuple):
    """A module body, function or lambda."""

    path: str
    name: str
    line: int


SITES: list[Site] = []
WEIGHT = bytearray()
"""Of each site: 0 for a mere statement, 2 for the entry of a function, 1 for what else changes the stack or an
iteration."""
SCOPES: list[Scope] = []
LOOPS: list[Site] = []
SOURCES: dict[str, str] = {}
"""The text of each instrumented file (or notebook cell), as it was when it was run."""
CELLS: dict[str, tuple[str, int]] = {}
"""The pseudo file name of a notebook's cell, to the notebook's path and the cell's index."""


class Instrumenter:
    """Gives the statements of one file their markers; the positions of all other nodes stay what they were."""

    UNTOUCHED = re.compile(r"(^|\.)(\w*jit|script|compile|cuda|vectorize|guvectorize|kernel|stencil)$")
    """Decorators after which another compiler reads the function: it is left as it is."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.scope = -1
        self.loops: tuple[int, ...] = ()

    def module(self, tree: ast.Module) -> ast.Module:
        self.scope = self._new_scope("<module>", 1)
        head, rest = self._after_head(tree.body)
        anchor = rest[0] if rest else ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
        tree.body = [*head, self._marker(ENTRY, anchor), *self._block(rest), self._marker(RET, anchor)]
        return tree

    def _new_scope(self, name: str, line: int) -> int:
        SCOPES.append(Scope(self.path, name, line))
        return len(SCOPES) - 1

    @staticmethod
    def _after_head(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Splits off the docstring and the future imports: both must stay first."""
        index = 0
        for statement in body:
            docstring = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if not (docstring or future):
                break
            index += 1
        return body[:index], body[index:]

    def _site(self, kind: int, node: Any, end_line: int | None = None, loop: int = -1) -> int:
        end = end_line or getattr(node, "end_lineno", None) or node.lineno
        SITES.append(Site(kind, self.scope, self.path, node.lineno, end, self.loops, loop))
        WEIGHT.append(2 if kind == ENTRY else kind not in (STMT, HEADER))
        return len(SITES) - 1

    def _call(self, kind: int, node: Any, end_line: int | None = None, loop: int = -1) -> ast.expr:
        """`_sp_a(SITE << 40 + _sp_s())`, standing where `node` stands."""
        where = {
            "lineno": node.lineno,
            "col_offset": node.col_offset,
            "end_lineno": node.lineno,
            "end_col_offset": node.col_offset,
        }
        site = ast.Constant(self._site(kind, node, end_line, loop) << SEQ_BITS, **where)
        number = ast.Call(ast.Name("_sp_s", ast.Load(), **where), [], [], **where)
        total = ast.BinOp(site, ast.Add(), number, **where)
        return ast.Call(ast.Name("_sp_a", ast.Load(), **where), [total], [], **where)

    def _marker(self, kind: int, node: Any, end_line: int | None = None, loop: int = -1) -> ast.stmt:
        call = self._call(kind, node, end_line, loop)
        return ast.copy_location(ast.Expr(call), call)

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            out.extend(self._statement(statement))
        return out

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            marker = self._marker(STMT, node, end_line=node.lineno)
            node.decorator_list = [self._expression(item) for item in node.decorator_list]
            node.args = self._expression(node.args)
            if not any(self.UNTOUCHED.search(dotted(item)) for item in node.decorator_list):
                self._function(node)
            return [marker, node]
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return [node]
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node)
        if isinstance(node, ast.Continue):
            out: list[ast.stmt] = [self._marker(STMT, node)]
            if self.loops:
                header = LOOPS[self.loops[-1]]
                again = ast.copy_location(ast.Pass(), node)
                again.lineno = header.line
                marker = self._marker(HEADER, again, end_line=header.end_line)
                out.append(marker)
            return [*out, node]
        blocks = [name for name in ("body", "orelse", "finalbody", "handlers", "cases") if getattr(node, name, None)]
        if not blocks:
            marker = self._marker(STMT, node)
            return [marker, self._expression(node)]
        first = node.body[0] if getattr(node, "body", None) else None  # type: ignore[attr-defined]
        header_end = max(node.lineno, first.lineno - 1) if first is not None else node.lineno
        marker = self._marker(STMT, node, end_line=header_end)
        for name, value in list(ast.iter_fields(node)):
            if name in ("body", "orelse", "finalbody"):
                setattr(node, name, self._block(value) if value else value)
            elif name in ("handlers", "cases"):
                for part in value:
                    part.body = self._block(part.body)
                    for field in ("type", "guard"):
                        if getattr(part, field, None) is not None:
                            setattr(part, field, self._expression(getattr(part, field)))
            elif isinstance(value, ast.AST):
                setattr(node, name, self._expression(value))
            elif isinstance(value, list):
                setattr(node, name, [self._expression(v) if isinstance(v, ast.AST) else v for v in value])
        return [marker, node]

    def _loop(self, node: Any) -> list[ast.stmt]:
        header_end = max(node.lineno, node.body[0].lineno - 1)
        number = len(LOOPS)
        LOOPS.append(Site(LOOP, self.scope, self.path, node.lineno, header_end, self.loops, number))
        begin = self._marker(LOOP, node, end_line=header_end, loop=number)
        for name in ("target", "iter", "test"):
            if hasattr(node, name):
                setattr(node, name, self._expression(getattr(node, name)))
        outer, self.loops = self.loops, (*self.loops, number)
        tick = self._marker(TICK, node, end_line=header_end, loop=number)
        body = self._block(node.body)
        again = self._marker(HEADER, node, end_line=header_end)
        self.loops = outer
        node.body = [tick, *body, again]
        node.orelse = self._block(node.orelse)
        return [begin, node]

    def _function(self, node: Any) -> None:
        outer, loops = self.scope, self.loops
        self.scope, self.loops = self._new_scope(node.name, node.lineno), ()
        head, rest = self._after_head(node.body)
        if rest:
            enter = self._marker(ENTRY, node, end_line=node.lineno)
            leave = self._marker(RET, node, end_line=node.lineno)
            guarded = ast.Try(body=self._block(rest), handlers=[], orelse=[], finalbody=[leave])
            node.body = [*head, enter, ast.copy_location(guarded, rest[0])]
        self.scope, self.loops = outer, loops

    def _expression(self, node: Any) -> Any:
        return _Expressions(self).visit(node)


class _Expressions(ast.NodeTransformer):
    """Marks lambdas as the functions they are, and the points where a generator or coroutine stops and goes on."""

    def __init__(self, owner: Instrumenter) -> None:
        self.owner = owner

    @staticmethod
    def _pick(parts: list[ast.expr], index: int, node: Any) -> ast.expr:
        """`(a, b, c)[index]`: evaluates all in order and is one of them."""
        many = ast.copy_location(ast.Tuple(parts, ast.Load()), node)
        which = ast.copy_location(ast.Constant(index), node)
        return ast.copy_location(ast.Subscript(many, which, ast.Load()), node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        owner = self.owner
        node.args = self.visit(node.args)
        if any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)) for part in ast.walk(node.body)):
            return node
        outer, loops = owner.scope, owner.loops
        owner.scope, owner.loops = owner._new_scope("<lambda>", node.lineno), ()
        parts = [owner._call(ENTRY, node.body), self.visit(node.body), owner._call(RET, node.body)]
        node.body = self._pick(parts, 1, node.body)
        owner.scope, owner.loops = outer, loops
        return node

    def visit_Yield(self, node: ast.Yield) -> Any:
        value = self.visit(node.value) if node.value else ast.copy_location(ast.Constant(None), node)
        node.value = self._pick([value, self.owner._call(YIELD, node)], 0, value)
        return self._pick([node, self.owner._call(RESUME, node)], 0, node)

    def visit_Await(self, node: ast.Await) -> Any:
        node.value = self.visit(node.value)
        return self._pick([node, self.owner._call(RESUME, node)], 0, node)

    def _own_frame(self, node: Any) -> Any:
        """A comprehension may not hold `yield`, and its parts belong to the statement around it."""
        return self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _own_frame


def dotted(node: Any) -> str:
    """`a.b.c` of a name, attribute or call of one; empty for anything else."""
    if isinstance(node, ast.Call):
        return dotted(node.func)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else node.attr
    return ""


def instrument(text: str, path: str, flags: int = 0) -> types.CodeType:
    """The code of a file with its markers; `path` is what tracebacks name. Raises SyntaxError as `compile` does."""
    tree: ast.Module = compile(text, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    SOURCES[path] = text
    code: types.CodeType
    try:
        code = compile(Instrumenter(path).module(tree), path, "exec", flags, dont_inherit=True)
    except RecursionError:
        code = compile(text, path, "exec", flags, dont_inherit=True)
    return code
