"""The compiler's own state, dispatch, and the signals that statements pass on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterable
from types import GeneratorType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias
from weakref import WeakValueDictionary

from secondpass.machine.machine import Exhausted, Frame
from secondpass.machine.sighting import WATCHED
from secondpass.machine.values import V
from secondpass.source.yields import own_yields

if TYPE_CHECKING:
    from secondpass.machine.compiler.functions import Code
    from secondpass.machine.machine import Machine

Signal: TypeAlias = Any
Expression: TypeAlias = Callable[[Frame], V]
Statement: TypeAlias = Callable[[Frame], Signal]
"""Runs statements. Where they hold a yield of the function, the signal comes from a generator: `Waiting`."""
Steps: TypeAlias = Callable[[Frame], Generator[V, V, Signal]]
Waiting = GeneratorType
Storer: TypeAlias = Callable[[Frame, V], None]


class _Jump:
    """A signal without a value."""


BREAK = _Jump()
CONTINUE = _Jump()


class Return:
    """`return value` on its way out of the function."""

    __slots__ = ("value",)

    def __init__(self, value: V) -> None:
        self.value = value


class Scope:
    """What the compiler must know of the scope it is in: which names are not its own."""

    __slots__ = ("class_cell", "globals", "nonlocals", "self_name")

    def __init__(self) -> None:
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.class_cell: list[Any] = []
        self.self_name = "self"


class Compiler:
    """Compiles the trees of one file for one machine."""

    expressions: ClassVar[dict[type, Callable[[Compiler, Any, Scope], Expression]]] = {}
    statements: ClassVar[dict[type, Callable[[Compiler, Any, Scope], Statement]]] = {}
    compounds: ClassVar[dict[type, Callable[[Compiler, Any, Scope], Steps]]] = {}

    def __init__(self, m: Machine, unit: Any, seeing: bool = False) -> None:
        self.m = m
        self.unit = unit
        self.seeing = seeing
        # Off inside conditions that cannot matter: a loop need not know when those turn (conditions.py).
        self.noting = True
        # What ends the `while` loops around, by the truth of a name (tests.py).
        self.ends: frozenset[tuple[str, bool]] = frozenset()
        # The code of each function of the file, so that one whose body is changed can be compiled again. It is kept by
        # the statement that defines the function, and goes with it.
        self.codes: WeakValueDictionary[ast.AST, Code] = WeakValueDictionary()
        self.renew()

    def renew(self) -> None:
        """The text is another now."""
        # The lines that hold the word: only functions around one are searched for a yield.
        lines = self.unit.table.lines if "yield" in self.unit.text else []
        self.yields = [i for i, line in enumerate(lines, 1) if "yield" in line]

    def forget(self, bodies: Iterable[ast.AST]) -> None:
        """These functions have other bodies now."""
        self.renew()
        for node in bodies:
            if node in self.codes:
                self.codes[node].forget()

    def expr(self, node: ast.expr, scope: Scope) -> Expression:
        node.unit = self.unit  # type: ignore[attr-defined]
        make = self.expressions.get(type(node))
        if make is None:
            from secondpass.machine.values import Unknown

            return lambda f: Unknown()
        if self.seeing and isinstance(node, WATCHED):
            return self._seeing(node, make(self, node, scope))
        return make(self, node, scope)

    def _seeing(self, node: ast.expr, run: Expression) -> Expression:
        """The same expression, which also tells each value it has (for hovers)."""
        m = self.m

        def see(f: Frame) -> V:
            value = run(f)
            m.see(node, value)
            return value

        return see

    def stmt(self, node: ast.stmt, scope: Scope) -> Statement:
        node.unit = self.unit  # type: ignore[attr-defined]
        compound = self.compounds.get(type(node))
        if self.yields and self.waits(node):
            return ahead(self, node, compound and compound(self, node, scope), scope)
        if compound is not None:
            return driven(compound(self, node, scope))
        make = self.statements.get(type(node))
        if make is None:
            return lambda f: None
        return make(self, node, scope)

    def waits(self, node: ast.AST) -> bool:
        """Whether a yield of the function that is compiled stands in this piece of it."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", None) or 0
        return any(first <= n <= last for n in self.yields) and bool(own_yields(node))

    def block(self, body: list[ast.stmt], scope: Scope) -> Statement:
        """Statements one after the other; each counts as a step of the budget."""
        steps = [self.stmt(s, scope) for s in body if not empty(s)]
        if self.yields and any(self.waits(s) for s in body):
            return waiting_sequence(steps)
        return self.sequence(steps)

    def sequence(self, steps: list[Statement]) -> Statement:
        m = self.m
        limit = m.budget.steps
        if len(steps) == 1:
            only = steps[0]

            def run_one(f: Frame) -> Signal:
                m.steps += 1
                if m.steps > limit:
                    raise Exhausted
                return only(f)

            return run_one
        n = len(steps)

        def run(f: Frame) -> Signal:
            m.steps += n
            if m.steps > limit:
                raise Exhausted
            for step in steps:
                signal = step(f)
                if signal is not None:
                    return signal
            return None

        return run


def driven(steps: Steps) -> Statement:
    """A compound statement without a yield, run to its end at once."""

    def run(f: Frame) -> Signal:
        try:
            next(steps(f))
        except StopIteration as end:
            return end.value
        raise AssertionError("a statement without a yield waited")

    return run


def waiting_sequence(steps: list[Statement]) -> Steps:
    """Statements one after the other, of which some wait at a yield."""

    def run(f: Frame) -> Generator[V, V, Signal]:
        for step in steps:
            signal = step(f)
            if type(signal) is Waiting:
                signal = yield from signal
            if signal is not None:
                return signal
        return None

    return run


def ahead(c: Compiler, node: ast.stmt, compound: Steps | None, scope: Scope) -> Steps:
    """A statement that waits: the yields of its own expressions are made before it, which then reads what was sent."""
    from secondpass.machine.compiler.yields import yields_of

    first = yields_of(c, headers(node), scope)
    rest: Statement = compound or Compiler.statements[type(node)](c, node, scope)

    def run(f: Frame) -> Generator[V, V, Signal]:
        yield from first(f)
        signal = rest(f)
        return (yield from signal) if type(signal) is Waiting else signal

    return run


def headers(node: ast.stmt) -> list[ast.AST]:
    """What of a statement is evaluated once, before the statements inside it (a `while` evaluates its test itself)."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, ast.If):
        return [node.test]
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    return [] if type(node) in Compiler.compounds else [node]


def empty(node: ast.stmt) -> bool:
    """Whether a statement does nothing: `pass`, a docstring."""
    kind = type(node)
    return kind is ast.Pass or (kind is ast.Expr and type(node.value) is ast.Constant)  # type: ignore[attr-defined]


def compiles_expression(*kinds: type) -> Callable[[Any], Any]:
    """Register the maker of closures for these kinds of expression."""

    def register(make: Any) -> Any:
        for kind in kinds:
            Compiler.expressions[kind] = make
        return make

    return register


def compiles_compound(*kinds: type) -> Callable[[Any], Any]:
    """Register the maker for these kinds of statement, which hold others.

    It gives a generator function that pauses where a statement inside it waits, and gives the signal at its end. One
    without a yield inside is run to its end at once (`driven`), so a statement is written once for both.
    """

    def register(make: Any) -> Any:
        for kind in kinds:
            Compiler.compounds[kind] = make
        return make

    return register


def compiles_statement(*kinds: type) -> Callable[[Any], Any]:
    """Register the maker of closures for these kinds of statement."""

    def register(make: Any) -> Any:
        for kind in kinds:
            Compiler.statements[kind] = make
        return make

    return register
