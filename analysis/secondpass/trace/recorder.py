# ruff: noqa: PTH100, PTH105, PTH109, PTH113, PTH118, PTH119, PTH120, PTH122, PTH123
"""Runs a program unmodified and records where each autograd node was built, walked and freed.

Stands alone: standard library and torch (2.1 and newer), Python 3.9 and newer. It is run by path in the user's own
interpreter, where secondpass need not be installed:

    python recorder.py --out trace.json [--turns 50] [--seconds 60] SCRIPT [ARGS...]
    python recorder.py --out trace.json -m package.module [ARGS...]
    python recorder.py --out trace.json --call train SCRIPT
    python recorder.py --out trace.json --cells 0,1,2,1 NOTEBOOK.ipynb
    python recorder.py --out trace.json --torchrun --nproc-per-node 2 SCRIPT [ARGS...]

How it knows a node's line. Autograd numbers its nodes, per thread, in the order they are made, and tells the next
number (`torch.autograd._get_sequence_nr`, 34 ns). Modules that belong to the user are given a marker before each
statement as they are imported; a marker appends `site << 40 | next number` to an array. The line of a node is then a
bisection away, and nothing is paid for per operation. Markers at a function's entry and return give the call chain,
markers at the top of a loop's body its turn; both are found by replaying the array, only when somebody asks.

How it knows who freed a graph. The backward calls are seen where they enter the engine. The roots of the last few calls
that freed their graph are held, so that when the engine raises, the first of them that reaches the node that raised is
the one that freed it. All of this is worked out after the engine has raised; a call that succeeds costs microseconds.

The report (`FORMAT` below) is described in docs/trace.md and read by secondpass.trace.record.
"""

from __future__ import annotations

import argparse
import array
import ast
import builtins
import collections
import contextlib
import heapq
import importlib.machinery
import importlib.util
import itertools
import json
import os
import re
import signal
import sys
import sysconfig
import threading
import time
import types
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

FORMAT = 1
SEQ_BITS = 40
SEQ_MASK = (1 << SEQ_BITS) - 1
LEAF_SEQ = 1 << 62
"""AccumulateGrad nodes carry the largest number there is: they are nobody's statement."""

KEEP = 8
"""Backward calls whose roots are held, so that the call that freed a node is known and not inferred."""
LOG_LIMIT = 4_000_000
"""Events (8 bytes each) held per thread; the older half is folded into the replay's state when it is passed."""
WALK_LIMIT = 200_000
"""Nodes visited in one walk of a graph."""
HELD_LIMIT = 20_000
"""Nodes visited to count what one name keeps alive."""
RECORD_LIMIT = 1000
"""Backward calls told one by one; more of them are only counted."""
STORY_LIMIT = 20

STMT, ENTRY, RET, LOOP, TICK, HEADER, RESUME, YIELD = range(8)
"""What a marker says: a statement begins, a function is entered or left, a loop begins, a turn begins, a loop's header
is evaluated again, a generator or coroutine goes on, a generator hands a value out."""


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
SCOPES: list[Scope] = []
LOOPS: list[Site] = []
SOURCES: dict[str, str] = {}
"""The text of each instrumented file (or notebook cell), as it was when it was run."""
CELLS: dict[str, tuple[str, int]] = {}
"""The pseudo file name of a notebook's cell, to the notebook's path and the cell's index."""

# --------------------------------------------------------------------------------------------------------------------
# Markers


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
            if not any(self.UNTOUCHED.search(_dotted(item)) for item in node.decorator_list):
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


def _dotted(node: Any) -> str:
    """`a.b.c` of a name, attribute or call of one; empty for anything else."""
    if isinstance(node, ast.Call):
        return _dotted(node.func)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return f"{base}.{node.attr}" if base else node.attr
    return ""


def instrument(text: str, path: str, flags: int = 0) -> types.CodeType:
    """The code of a file with its markers; `path` is what tracebacks name. Raises SyntaxError as `compile` does."""
    tree = compile(text, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    SOURCES[path] = text
    try:
        return compile(Instrumenter(path).module(tree), path, "exec", flags, dont_inherit=True)  # type: ignore[arg-type]
    except RecursionError:
        return compile(text, path, "exec", flags, dont_inherit=True)


# --------------------------------------------------------------------------------------------------------------------
# The log of one thread, and its replay


class Frame:
    """A user function being replayed."""

    __slots__ = ("scope", "site", "turns")

    def __init__(self, scope: int, site: int, turns: dict[int, int] | None = None) -> None:
        self.scope = scope
        self.site = site
        self.turns: dict[int, int] = turns if turns is not None else {}


class Snapshot(NamedTuple):
    """Where a thread stood: the sites of its user functions, outermost first, and the turns of the loops around them."""

    sites: tuple[int, ...]
    loops: tuple[tuple[int, int], ...]

    def turn_of(self, loop: int) -> int | None:
        for number, turn in reversed(self.loops):
            if number == loop:
                return turn
        return None


class Replay:
    """The state that a run of events leaves behind."""

    def __init__(self) -> None:
        self.stack: list[Frame] = []
        self.asleep: dict[int, Frame] = {}

    def copy(self) -> Replay:
        other = Replay()
        other.stack = [Frame(f.scope, f.site, dict(f.turns)) for f in self.stack]
        other.asleep = dict(self.asleep)
        return other

    def apply(self, number: int) -> None:
        site = SITES[number]
        kind, scope = site[0], site[1]
        stack = self.stack
        if kind == ENTRY:
            stack.append(Frame(scope, number))
            return
        if not stack or stack[-1].scope != scope:
            index = len(stack) - 1
            while index >= 0 and stack[index].scope != scope:
                index -= 1
            if index >= 0:
                for frame in stack[index + 1 :]:
                    self.asleep[frame.scope] = frame
                del stack[index + 1 :]
            elif kind in (RET, YIELD):
                return
            else:
                stack.append(self.asleep.pop(scope, None) or Frame(scope, number))
        if kind == RET:
            stack.pop()
        elif kind == YIELD:
            self.asleep[scope] = stack.pop()
        else:
            top = stack[-1]
            top.site = number
            if kind == LOOP:
                top.turns[site.loop] = 0
            elif kind == TICK:
                top.turns[site.loop] = top.turns.get(site.loop, 0) + 1

    def snapshot(self) -> Snapshot:
        loops = []
        for frame in self.stack:
            site = SITES[frame.site]
            around = site.loops if site.kind != TICK else (*site.loops, site.loop)
            loops.extend((loop, frame.turns.get(loop, 1)) for loop in around if loop >= 0)
        return Snapshot(tuple(frame.site for frame in self.stack), tuple(dict.fromkeys(loops)))


class Log:
    """The markers one thread has passed, oldest first; `base` counts those already folded into `state`."""

    def __init__(self) -> None:
        self.events = array.array("q")
        self.base = 0
        self.state = Replay()
        self.counts: dict[int, int] = {}
        self.lock = threading.Lock()

    def position(self) -> int:
        return self.base + len(self.events)

    def trim(self) -> None:
        """Folds the older half into the state, once there is too much; safe while the owner goes on appending."""
        if len(self.events) < LOG_LIMIT or not self.lock.acquire(blocking=False):
            return
        try:
            old = self.events[: LOG_LIMIT // 2]
            apply = self.state.apply
            for event in old:
                apply(event >> SEQ_BITS)
            self._count(old)
            self.base += len(old)
            del self.events[: len(old)]
        finally:
            self.lock.release()

    def _count(self, events: Iterable[int]) -> None:
        for number, times in collections.Counter(event >> SEQ_BITS for event in events).items():
            self.counts[number] = self.counts.get(number, 0) + times

    def total_counts(self) -> dict[int, int]:
        """How often each site was passed."""
        total = dict(self.counts)
        for number, times in collections.Counter(event >> SEQ_BITS for event in self.events[:]).items():
            total[number] = total.get(number, 0) + times
        return total

    def index_of(self, seq: int) -> int | None:
        """The position of the event in force when the node numbered `seq` was made; None if it is forgotten."""
        events = self.events
        low, high = 0, len(events)
        while low < high:
            middle = (low + high) // 2
            if events[middle] & SEQ_MASK <= seq:
                low = middle + 1
            else:
                high = middle
        return self.base + low - 1 if low else None

    def snapshots(self, positions: Iterable[int]) -> dict[int, Snapshot]:
        """What was going on after each of these events (absolute positions)."""
        wanted = sorted({p for p in positions if p >= self.base})
        out: dict[int, Snapshot] = {}
        if not wanted:
            return out
        replay = self.state.copy()
        events = self.events
        position = self.base
        apply = replay.apply
        for target in wanted:
            stop = min(target + 1, self.base + len(events))
            while position < stop:
                apply(events[position - self.base] >> SEQ_BITS)
                position += 1
            out[target] = replay.snapshot()
        return out


# --------------------------------------------------------------------------------------------------------------------
# Autograd graphs


def next_nodes(node: Any) -> list[Any]:
    return [child for child, _ in node.next_functions if child is not None]


def sequence(node: Any) -> int:
    """The number of a node; leaves (and nodes made in Python without one) are `LEAF_SEQ`."""
    number = getattr(node, "_sequence_nr", None)
    value = number() if callable(number) else LEAF_SEQ
    return value if 0 <= value < SEQ_MASK else LEAF_SEQ


def is_leaf(node: Any) -> bool:
    return type(node).__name__ == "AccumulateGrad"


def reachable(roots: Iterable[Any], limit: int = WALK_LIMIT) -> dict[Any, Any]:
    """Every node behind the roots, each with the node it was first reached from."""
    parents: dict[Any, Any] = {}
    queue = collections.deque((root, None) for root in roots)
    while queue and len(parents) < limit:
        node, parent = queue.popleft()
        if node in parents:
            continue
        parents[node] = parent
        queue.extend((child, node) for child in next_nodes(node) if child not in parents)
    return parents


def leading_to(nodes: dict[Any, Any], targets: set[Any]) -> set[Any]:
    """The nodes from which one of the targets can be reached, the targets included."""
    users: dict[Any, list[Any]] = {}
    for node in nodes:
        for child in next_nodes(node):
            users.setdefault(child, []).append(node)
    found = {target for target in targets if target in nodes}
    todo = list(found)
    while todo:
        for user in users.get(todo.pop(), ()):
            if user not in found:
                found.add(user)
                todo.append(user)
    return found


_SAVED: dict[str, list[str]] = {}


def saved_state(node: Any) -> str:
    """`released` or `modified` if reading what the node saved raises so, else `kept` (or it saved nothing)."""
    names = _SAVED.get(node.name())
    if names is None:
        names = [n for n in dir(node) if n.startswith("_saved_")] + ["saved_tensors"]
        _SAVED[node.name()] = names
    for name in names:
        try:
            getattr(node, name, None)
        except RuntimeError as error:
            kind = kind_of(error)
            if kind == "second-time":
                return "released"
            if kind == "inplace-version":
                return "modified"
        except Exception:  # an unpack hook of the program may raise anything
            continue
    return "kept"


def kind_of(error: BaseException) -> str | None:
    text = str(error)
    if "backward through the graph a second time" in text:
        return "second-time"
    if "modified by an inplace operation" in text:
        return "inplace-version"
    return None


class Call:
    """One backward or grad call. Roots are held while it runs, and afterwards for the last few that freed."""

    __slots__ = (
        "accumulate",
        "chain",
        "create",
        "frame",
        "function",
        "limited",
        "n",
        "nested",
        "position",
        "retain",
        "roots",
        "seq",
        "targets",
        "thread",
        "walked",
    )

    def __init__(self) -> None:
        self.n = 0
        self.function = "backward"
        self.chain: list[tuple[str, int, str]] = []
        self.retain = self.create = self.limited = self.nested = False
        self.accumulate = True
        self.roots: list[Any] = []
        self.targets: list[Any] = []
        self.position = self.seq = self.thread = 0
        self.walked: int | None = None
        self.frame: Any = None

    def executed(self) -> dict[Any, Any]:
        """The nodes the call runs: all behind its roots, or those on the way to `inputs`."""
        nodes = reachable(self.roots)
        if not self.limited:
            return nodes
        on_the_way = leading_to(nodes, set(self.targets))
        if not self.accumulate:  # grad() stops above the node that made the input
            on_the_way -= set(self.targets)
        return {node: parent for node, parent in nodes.items() if node in on_the_way}


def engine_order(call: Call, nodes: dict[Any, Any]) -> Iterator[Any]:
    """The nodes in the order the engine runs them: of those ready, leaves first, then the newest."""
    waiting: dict[Any, int] = collections.Counter()
    for node in nodes:
        for child in next_nodes(node):
            waiting[child] += 1
    ready: list[tuple[int, int, Any]] = []
    tie = 0

    def push(node: Any) -> None:
        nonlocal tie
        tie += 1
        heapq.heappush(ready, (-sequence(node), tie, node))

    for root in dict.fromkeys(call.roots):
        if root in nodes and not waiting[root]:
            push(root)
    while ready:
        node = heapq.heappop(ready)[2]
        yield node
        for child in next_nodes(node):
            waiting[child] -= 1
            if not waiting[child] and child in nodes:
                push(child)


# --------------------------------------------------------------------------------------------------------------------
# The recorder


class Stop(NamedTuple):
    """Why the run ended before the program did."""

    reason: str
    note: str


class Recorder:
    """Everything one process records."""

    def __init__(self, out: str, turns: int, seconds: float, progress: int | None, label: list[str]) -> None:
        self.out = out
        self.turns = turns
        self.progress = progress
        self.label = label
        self.pid = os.getpid()
        self.started = time.time()
        self.seconds = seconds
        self.cwd = os.getcwd()
        self.logs: dict[int, Log] = {}
        self.main = threading.get_ident()
        self.logs[self.main] = Log()
        self.calls: list[Call] = []
        self.call_count = 0
        self.kept: collections.deque[Call] = collections.deque(maxlen=KEEP)
        self.last_unkept: dict[int, int] = {}
        """Per thread, the number of the newest node when the last call whose roots are no longer held was made."""
        self.running: dict[int, list[Call]] = {}
        self.steps: collections.deque[dict[str, Any]] = collections.deque(maxlen=400)
        self.step_count = 0
        self.samples: dict[tuple[str, int], int] = {}
        self.growth: dict[tuple[str, str], dict[str, Any]] = {}
        self.stories: list[dict[str, Any]] = []
        self.told: list[BaseException] = []
        self.other_errors: list[dict[str, Any]] = []
        self.notes: list[str] = []
        self.torch: Any = None
        self.written = threading.Lock()
        self.exit_code: int | None = None
        self.forked = 0
        self.twins: dict[types.CodeType, types.CodeType] = {}

    # -- logs ---------------------------------------------------------------------------------------------------------

    def switch_on(self) -> None:
        builtins._sp_a = self.logs[self.main].events.append  # type: ignore[attr-defined]
        builtins._sp_s = int  # type: ignore[attr-defined]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._count_fork, after_in_child=self._forked)

    def _count_fork(self) -> None:
        self.forked += 1

    @staticmethod
    def _forked() -> None:
        """A forked worker (DataLoader, multiprocessing) records nothing and writes nothing."""
        builtins._sp_a = abs  # type: ignore[attr-defined]
        builtins._sp_s = int  # type: ignore[attr-defined]
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    @property
    def alive(self) -> bool:
        return os.getpid() == self.pid

    def log(self) -> Log:
        return self.logs.setdefault(threading.get_ident(), Log())

    QUIET_THREADS = ("tqdm.", "torch.utils.data", "torch._inductor", "torch.distributed", "wandb", "tensorboard")

    def watch_threads(self) -> None:
        """From the first thread that may run user code on, each marker goes to the log of its own thread."""
        start = threading.Thread.start

        def started(thread: threading.Thread) -> None:
            target = getattr(thread, "_target", None)
            owner = getattr(target, "__module__", None) or type(thread).__module__ or ""
            if not owner.startswith(self.QUIET_THREADS) and self.alive:
                self._log_by_thread()
            start(thread)

        threading.Thread.start = started  # type: ignore[method-assign]

    def _log_by_thread(self) -> None:
        logs, get_ident = self.logs, threading.get_ident

        def append(event: int) -> None:
            log = logs.get(get_ident())
            if log is None:
                log = logs.setdefault(get_ident(), Log())
            log.events.append(event)

        builtins._sp_a = append  # type: ignore[attr-defined]

    # -- torch --------------------------------------------------------------------------------------------------------

    def hook_torch(self, torch: Any) -> None:
        """Called once torch has been imported: sees the engine's calls and the optimizers' steps."""
        self.torch = torch
        number = getattr(torch.autograd, "_get_sequence_nr", None)
        if number is None:
            self.notes.append(f"torch {torch.__version__} does not tell node numbers; lines are unknown (needs 2.1)")
        else:
            builtins._sp_s = number  # type: ignore[attr-defined]
        variable = torch.autograd.Variable
        variable._execution_engine = EngineProxy(variable._execution_engine, self)
        graph = importlib.import_module("torch.autograd.graph")
        if hasattr(graph, "_engine_run_backward"):
            guard_function(graph._engine_run_backward, self)
        else:
            guard_function(torch.autograd.backward, self)
            guard_function(torch.autograd.grad, self)
        optim = importlib.import_module("torch.optim.optimizer")
        if hasattr(optim, "register_optimizer_step_post_hook"):
            optim.register_optimizer_step_post_hook(self.stepped)

    def hook_dynamo(self, _module: Any) -> None:
        """Lets torch.compile read the user's functions without their markers, which it cannot trace."""
        for name, module in list(sys.modules.items()):
            original = getattr(module, "cleaned_instructions", None) if name.startswith("torch._dynamo") else None
            if original is not None and not hasattr(original, "_sp_original"):
                module.cleaned_instructions = self._without_markers(original)  # type: ignore[attr-defined]

    def _without_markers(self, original: Any) -> Any:
        def cleaned_instructions(code: types.CodeType, *args: Any, **kwargs: Any) -> Any:
            return original(self.twin(code), *args, **kwargs)

        cleaned_instructions._sp_original = original  # type: ignore[attr-defined]
        return cleaned_instructions

    def pair_twins(self, marked: types.CodeType, plain: types.CodeType) -> None:
        """Remembers, for each code object with markers, the one of the same text without."""
        self.twins[marked] = plain
        inner = [[c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (marked, plain)]
        for one, other in zip(*inner, strict=False):
            if one.co_name == other.co_name and one.co_firstlineno == other.co_firstlineno:
                self.pair_twins(one, other)

    def twin(self, code: types.CodeType) -> types.CodeType:
        if code in self.twins or code.co_filename not in SOURCES or "_sp_a" not in code.co_names:
            return self.twins.get(code, code)
        path = code.co_filename
        plain = compile(SOURCES[path], path, "exec", dont_inherit=True)
        wanted = (code.co_name, code.co_firstlineno, getattr(code, "co_qualname", ""))
        todo = [plain]
        while todo:
            other = todo.pop()
            if (other.co_name, other.co_firstlineno, getattr(other, "co_qualname", "")) == wanted:
                self.pair_twins(code, other)
                return other
            todo.extend(c for c in other.co_consts if isinstance(c, types.CodeType))
        return code

    # -- a backward call ----------------------------------------------------------------------------------------------

    def before(self, frame: Any) -> None:
        """The engine is about to run; `frame` is torch's function that calls it."""
        if not self.alive:
            return
        call = Call()
        thread = threading.get_ident()
        log = self.log()
        call.thread, call.position = thread, log.position()
        call.seq = builtins._sp_s()  # type: ignore[attr-defined]
        roots, call.retain, call.create, inputs, call.accumulate = engine_arguments(frame)
        call.function = "backward" if call.accumulate else "grad"
        call.roots = [node for node in map(gradient_node, roots) if node is not None]
        call.limited = bool(inputs)
        if inputs:
            call.targets = [node for node in map(gradient_node, inputs) if node is not None]
        call.frame = frame
        call.chain, internal = user_chain(frame)
        stack = self.running.setdefault(thread, [])
        call.nested = bool(stack) or internal
        stack.append(call)
        if call.nested:
            return
        self.call_count += 1
        call.n = self.call_count
        if len(self.calls) < RECORD_LIMIT:
            self.calls.append(call)
        if call.chain:
            key = call.chain[0][:2]
            seen = self.samples[key] = self.samples.get(key, 0) + 1
            if seen <= 8 or seen & (seen - 1) == 0 or (seen % 3 == 0 and seen // 3 & (seen // 3 - 1) == 0):
                call.walked = len(call.executed())
                self.sample(call, frame, seen)

    def after(self, frame: Any, error: BaseException | None) -> None:
        """The engine has returned or raised in torch's function `frame`."""
        stack = self.running.get(threading.get_ident())
        if not self.alive or not stack or stack[-1].frame is not frame:
            return
        call = stack.pop()
        call.frame = None
        if error is not None:
            if not any(error is told for told in self.told):
                self.told = [*self.told[-3:], error]
                with contextlib.suppress(RecursionError):
                    self.failed(call, error, frame)
            call.roots, call.targets = [], []
            return
        if call.retain:
            call.roots, call.targets = [], []
        else:
            if len(self.kept) == KEEP:
                oldest = self.kept[0]
                self.last_unkept[oldest.thread] = oldest.seq
                oldest.roots, oldest.targets = [], []
            self.kept.append(call)
        if call.nested:
            return
        if self.progress is not None:
            self._tell_progress(call)
        self.log().trim()
        if self.turns and self.call_count >= self.turns:
            self.stop(Stop("turns", f"stopped after {self.turns} backward calls"))

    _told_at = 0.0

    def _tell_progress(self, call: Call) -> None:
        now = time.monotonic()
        if now - self._told_at > 0.1 or call.n == 1:
            self._told_at = now
            line = {"backwards": call.n, "path": call.chain[0][0], "line": call.chain[0][1]} if call.chain else {}
            with contextlib.suppress(OSError):
                os.write(self.progress or 0, (json.dumps(line) + "\n").encode())

    def stepped(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        """An optimizer has changed its parameters."""
        if not self.alive:
            return
        self.step_count += 1
        chain, _internal = user_chain(sys._getframe(1))
        log = self.log()
        self.steps.append(
            {
                "chain": chain,
                "position": log.position(),
                "thread": threading.get_ident(),
                "seq": builtins._sp_s(),  # type: ignore[attr-defined]
                "optimizer": weakref.ref(optimizer),
                "name": type(optimizer).__name__,
            }
        )

    # -- growth -------------------------------------------------------------------------------------------------------

    def sample(self, call: Call, frame: Any, seen: int) -> None:
        """Counts the nodes that each user variable keeps alive as this call begins."""
        site = call.chain[0]
        self._grew(("walked", f"{site[0]}:{site[1]}"), "walked", "", seen, call.walked or 0, site, None, call)
        for name, holder, tensors in held_by_frames(user_frames(frame)):
            nodes = reachable([t.grad_fn for t in tensors], HELD_LIMIT)
            newest = max(nodes, key=lambda n: -1 if is_leaf(n) else sequence(n))
            self._grew(("held", f"{site[0]}:{site[1]}:{holder[0]}:{holder[2]}:{name}"),
                       "held", name, seen, len(nodes), holder, newest, call)  # fmt: skip

    def _grew(
        self, key: tuple[str, str], kind: str, name: str, seen: int, count: int,
        holder: tuple[str, int, str], node: Any, call: Call,
    ) -> None:  # fmt: skip
        row = self.growth.setdefault(
            key, {"kind": kind, "name": name, "calls": [], "nodes": [], "holder": holder, "site": call.chain[0]}
        )
        row["calls"].append(seen)
        row["nodes"].append(count)
        row["thread"] = call.thread
        if node is not None:
            row["seq"] = sequence(node)

    # -- an error -----------------------------------------------------------------------------------------------------

    def failed(self, call: Call, error: BaseException, frame: Any) -> None:
        kind = kind_of(error)
        chain = inner_chain(error) + call.chain
        if kind is None:
            if len(self.other_errors) < STORY_LIMIT and chain and isinstance(error, Exception):
                message = str(error).strip().splitlines()
                row = self.place_of_chain(chain[0], call)
                row["message"] = f"{type(error).__name__}: {message[0] if message else ''}"
                self.other_errors.append(row)
            return
        if len(self.stories) >= STORY_LIMIT:
            return
        self.stories.append(Story(self, call, kind, error, frame, chain).tell())

    def unseen(self, error: BaseException) -> None:
        """The program ends with an exception; one of ours that no backward call raised is told from its traceback."""
        kind = kind_of(error)
        if kind is None or any(error is told for told in self.told):
            return
        chain = inner_chain(error)
        if not chain:
            return
        call = Call()
        call.thread, call.chain = self.main, chain
        call.position, call.seq = self.logs[self.main].position(), builtins._sp_s()  # type: ignore[attr-defined]
        self.stories.append(Story(self, call, kind, error, None, chain).tell())

    # -- places -------------------------------------------------------------------------------------------------------

    def locate(self, seqs: dict[int, int]) -> dict[int, Snapshot]:
        """The snapshots of node numbers (each with its thread)."""
        out: dict[int, Snapshot] = {}
        by_thread: dict[int, dict[int, int]] = {}
        for seq, thread in seqs.items():
            log = self.logs.get(thread)
            position = log.index_of(seq) if log is not None and seq < LEAF_SEQ else None
            if position is not None:
                by_thread.setdefault(thread, {})[seq] = position
        for thread, positions in by_thread.items():
            found = self.logs[thread].snapshots(positions.values())
            out.update({seq: found[position] for seq, position in positions.items() if position in found})
        return out

    def at(self, thread: int, position: int) -> Snapshot | None:
        log = self.logs.get(thread)
        return log.snapshots([position - 1]).get(position - 1) if log is not None else None

    def file(self, path: str) -> dict[str, Any]:
        """`path` as the report says it: a notebook's cell by its index, a file below the current folder relatively."""
        cell = None
        if path in CELLS:
            path, cell = CELLS[path]
        full = os.path.abspath(path)
        inside = full.startswith(self.cwd.rstrip(os.sep) + os.sep)
        shown = os.path.relpath(full, self.cwd) if inside else full
        out: dict[str, Any] = {"path": shown.replace(os.sep, "/")}
        if cell is not None:
            out["cell"] = cell
        return out

    def place(self, site: Site, turn: int) -> dict[str, Any]:
        lines = SOURCES.get(site.path, "").splitlines()
        text = lines[site.line - 1].strip() if site.line <= len(lines) else ""
        return {
            **self.file(site.path), "line": site.line, "end_line": site.end_line, "turn": turn, "text": text,
            "function": SCOPES[site.scope].name,
        }  # fmt: skip

    def place_of_chain(self, link: tuple[str, int, str], call: Call, turn: int | None = None) -> dict[str, Any]:
        path, line, function = link
        lines = SOURCES.get(path, "").splitlines()
        if turn is None:
            snapshot = self.at(call.thread, call.position)
            turn = snapshot.loops[-1][1] if snapshot and snapshot.loops else 1
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        where = self.file(path)
        return {**where, "line": line, "end_line": line, "turn": turn, "text": text, "function": function}

    # -- the report ---------------------------------------------------------------------------------------------------

    def stop(self, why: Stop) -> None:
        """Ends the process here and now: none of the program's `finally`, `except` or `atexit` runs."""
        self.write(why.reason, why.note, 0)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(0)

    def write(self, reason: str, note: str, exit_code: int | None) -> None:
        """Writes the report, once."""
        if not self.alive or not self.written.acquire(blocking=False):
            return
        report = self.report(reason, note, exit_code)
        temporary = f"{self.out}.{self.pid}.tmp"
        with open(temporary, "w", encoding="utf-8") as handle:
            json.dump(report, handle, ensure_ascii=False)
        os.replace(temporary, self.out)

    def report(self, reason: str, note: str, exit_code: int | None) -> dict[str, Any]:
        counts: dict[int, int] = {}
        for log in list(self.logs.values()):
            for number, times in log.total_counts().items():
                counts[number] = counts.get(number, 0) + times
        if self.forked:
            self.notes.append(f"{self.forked} child processes were forked; what they did is not recorded")
        torch = self.torch
        return {
            "format": FORMAT,
            "command": self.label,
            "cwd": self.cwd,
            "raised": self.stories[0] if self.stories else None,
            "errors": self.stories,
            "other_errors": self.other_errors,
            "backwards": self._backwards(),
            "backward_count": self.call_count,
            "step_count": self.step_count,
            "steps": self._steps(),
            "turns": self._turns(counts),
            "growth": self._growth(),
            "executed": self._executed(counts),
            "outcome": {
                "reason": reason,
                "note": note,
                "exit_code": exit_code,
                "seconds": round(time.time() - self.started, 3),
                "rank": int(os.environ["RANK"]) if os.environ.get("RANK", "").isdigit() else None,
            },
            "notes": self.notes,
            "versions": {
                "recorder": FORMAT,
                "python": ".".join(map(str, sys.version_info[:3])),
                "torch": getattr(torch, "__version__", None),
                "executable": sys.executable,
            },
        }

    def _rows(self, calls: list[Any]) -> Iterator[tuple[Any, int]]:
        """Things that have a thread and a position, each with the turn of the innermost loop around it."""
        by_thread: dict[int, list[int]] = {}
        for thread, position in calls:
            by_thread.setdefault(thread, []).append(position - 1)
        found = {t: self.logs[t].snapshots(p) for t, p in by_thread.items() if t in self.logs}
        for thread, position in calls:
            snapshot = found.get(thread, {}).get(position - 1)
            yield snapshot, snapshot.loops[-1][1] if snapshot and snapshot.loops else 1

    def _backwards(self) -> list[dict[str, Any]]:
        rows = []
        calls = [call for call in self.calls if call.chain]
        for call, (snapshot, turn) in zip(calls, self._rows([(c.thread, c.position) for c in calls]), strict=False):
            path, line, function = call.chain[0]
            rows.append(
                {
                    "n": call.n, "call": call.function, **self.file(path), "line": line, "turn": turn,
                    "function": function,
                    "retain_graph": call.retain, "create_graph": call.create, "inputs": call.limited,
                    "walked": call.walked, "freed": 0 if call.retain else call.walked,
                    "loops": self._loops_of(snapshot),
                    "chain": [{**self.file(p), "line": n, "function": f} for p, n, f in call.chain[1:6]],
                }
            )  # fmt: skip
        return rows

    def _steps(self) -> list[dict[str, Any]]:
        rows = []
        steps = [s for s in list(self.steps) if s["chain"]]
        for step, (_, turn) in zip(steps, self._rows([(s["thread"], s["position"]) for s in steps]), strict=False):
            path, line, function = step["chain"][0]
            where = self.file(path)
            rows.append({**where, "line": line, "turn": turn, "function": function, "optimizer": step["name"]})
        return rows

    def _loops_of(self, snapshot: Snapshot | None) -> list[dict[str, Any]]:
        pairs = snapshot.loops if snapshot else ()
        return [{**self.file(LOOPS[n].path), "line": LOOPS[n].line, "turn": turn} for n, turn in pairs]

    def _turns(self, counts: dict[int, int]) -> list[dict[str, Any]]:
        begun: dict[int, int] = {}
        ticked: dict[int, int] = {}
        for number, times in counts.items():
            site = SITES[number]
            if site.kind == LOOP:
                begun[site.loop] = times
            elif site.kind == TICK:
                ticked[site.loop] = times
        return [
            {**self.file(LOOPS[loop].path), "line": LOOPS[loop].line, "starts": begun[loop],
             "turns": ticked.get(loop, 0)}
            for loop in sorted(begun)
        ]  # fmt: skip

    def _executed(self, counts: dict[int, int]) -> list[dict[str, Any]]:
        """Per file or cell: the lines on which a statement began."""
        lines: dict[str, set[int]] = {path: set() for path in SOURCES}
        for number in counts:
            site = SITES[number]
            if site.kind in (STMT, LOOP, TICK):
                lines[site.path].add(site.line)
        return [{**self.file(path), "lines": sorted(found)} for path, found in lines.items()]

    def _growth(self) -> list[dict[str, Any]]:
        """What grew with every sample, from the second on, at least three times."""
        rows = []
        located = self.locate({r["seq"]: r["thread"] for r in self.growth.values() if "seq" in r})
        for row in self.growth.values():
            nodes = row["nodes"]
            steady = len(nodes) >= 3 and all(b > a for a, b in itertools.pairwise(nodes)) and nodes[-1] > nodes[0]
            if not steady or any(b < a for a, b in itertools.pairwise(nodes)):
                continue
            path, line, function = row["holder"]
            out = {
                "kind": row["kind"], "name": row["name"], **self.file(path), "line": line, "function": function,
                "calls": row["calls"][:24], "nodes": nodes[:24], "built": [],
            }  # fmt: skip
            snapshot = located.get(row.get("seq", -1))
            if snapshot is not None:
                turn = snapshot.loops[-1][1] if snapshot.loops else 1
                out["built"] = [self.place(SITES[s], turn) for s in reversed(snapshot.sites)][:6]
            rows.append(out)
        return rows


# --------------------------------------------------------------------------------------------------------------------
# Seeing the engine's calls


class EngineProxy:
    """Stands where torch keeps its engine; reading `run_backward` from it announces a call.

    A property and not a wrapper: its frame is gone when the engine runs, so tracebacks are what they were.
    """

    def __init__(self, engine: Any, recorder: Recorder) -> None:
        self._engine = engine
        self._recorder = recorder

    @property
    def run_backward(self) -> Any:
        self._recorder.before(sys._getframe(1))
        return self._engine.run_backward

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def guard_function(function: Any, recorder: Recorder) -> None:
    """Compiles torch's own function again so that the recorder hears how it ended; no frame is added."""
    code = function.__code__
    with open(code.co_filename, encoding="utf-8") as handle:
        tree = ast.parse(handle.read())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and _first_line(node) == code.co_firstlineno:
            break
    else:
        recorder.notes.append(f"torch's {code.co_name} could not be read; errors that the program catches are missed")
        return
    wrapper = ast.parse(
        "try:\n    pass\nexcept BaseException as _sp_error:\n    _sp_after(_sp_error)\n    raise\n"
        "finally:\n    _sp_after(None)\n"  # after an error the call is already taken off, and this does nothing
    ).body[0]
    assert isinstance(wrapper, ast.Try)
    for part in ast.walk(wrapper):
        if hasattr(part, "lineno"):
            ast.copy_location(part, node.body[-1])
    wrapper.body, node.body, node.decorator_list = node.body, [wrapper], []
    module = compile(ast.Module(body=[node], type_ignores=[]), code.co_filename, "exec")
    new = next(c for c in module.co_consts if isinstance(c, types.CodeType))

    def ended(error: BaseException | None) -> None:
        recorder.after(sys._getframe(1), error)

    function.__globals__["_sp_after"] = ended
    function.__code__ = new.replace(co_firstlineno=code.co_firstlineno)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(item.lineno for item in node.decorator_list)])


def engine_arguments(frame: Any) -> tuple[list[Any], bool, bool, list[Any], bool]:
    """Roots, retain_graph, create_graph, inputs and accumulate_grad, from the locals of torch's calling function."""
    local = frame.f_locals
    if "args" in local and "t_outputs" in local:  # graph._engine_run_backward, torch 2.2 and newer
        roots, rest, named = local["t_outputs"], local["args"], local.get("kwargs", {})
        retain, create, inputs = (*rest[1:4], *[()] * 3)[:3] if len(rest) >= 4 else (False, False, ())
        return list(roots), bool(retain), bool(create), list(inputs or ()), bool(named.get("accumulate_grad"))
    grad = frame.f_code.co_name != "backward"
    roots = local.get("t_outputs") or local.get("outputs") or local.get("tensors") or ()
    inputs = local.get("t_inputs") or local.get("inputs") or ()
    many = isinstance(roots, (tuple, list))
    retain, create = bool(local.get("retain_graph")), bool(local.get("create_graph"))
    inputs = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    return list(roots) if many else [roots], retain, create, inputs, not grad


def gradient_node(root: Any) -> Any:
    """The node behind a tensor (its accumulator if it is a leaf) or a gradient edge; None if there is none."""
    node = getattr(root, "node", None)
    if node is not None:
        return node
    if getattr(root, "grad_fn", None) is not None:
        return root.grad_fn
    if not getattr(root, "requires_grad", False):
        return None
    torch = sys.modules["torch"]
    with torch.enable_grad():
        return root.view_as(root).grad_fn.next_functions[0][0]


INTERNAL = (os.sep + "_functorch" + os.sep, os.sep + "_dynamo" + os.sep)
"""torch.compile differentiates while it traces; those calls are not the program's."""


def user_chain(frame: Any) -> tuple[list[tuple[str, int, str]], bool]:
    """The user's lines below torch's, innermost first; and whether the compiler made the call."""
    chain = []
    internal = False
    while frame is not None:
        path = frame.f_code.co_filename
        if path in SOURCES:
            chain.append((path, frame.f_lineno, frame.f_code.co_name))
        elif not chain and any(part in path for part in INTERNAL) and "aot_autograd" not in frame.f_code.co_name:
            internal = internal or frame.f_code.co_name in COMPILE_TIME
        frame = frame.f_back
    return chain, internal


COMPILE_TIME = {"inner_fn", "joint_helper", "inner_fn_with_anomaly", "_convert_frame", "create_joint"}


def inner_chain(error: BaseException) -> list[tuple[str, int, str]]:
    """The user's lines inside the traceback (a custom Function's backward, a hook), innermost first."""
    chain: list[tuple[str, int, str]] = []
    link = error.__traceback__
    while link is not None:
        path = link.tb_frame.f_code.co_filename
        if path in SOURCES:
            chain.insert(0, (path, link.tb_lineno, link.tb_frame.f_code.co_name))
        link = link.tb_next
    return chain


def user_frames(frame: Any) -> list[Any]:
    found = []
    while frame is not None:
        if frame.f_code.co_filename in SOURCES:
            found.append(frame)
        frame = frame.f_back
    return found


def held_by_frames(frames: list[Any]) -> Iterator[tuple[str, tuple[str, int, str], list[Any]]]:
    """The user's variables that hold tensors with a history: name as written, where its function stands, tensors."""
    torch = sys.modules["torch"]
    budget = [4000]
    seen_objects: set[int] = set()
    spaces: dict[int, Any] = {}
    for frame in frames:
        holder = (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        for space in (frame.f_locals, frame.f_globals):
            if id(space) in spaces:
                continue
            spaces[id(space)] = space
            inner = holder if space is not frame.f_globals else (holder[0], holder[1], "<module>")
            for name, value in list(space.items()):
                if name.startswith("__"):
                    continue
                yield from _held(torch, name, value, inner, seen_objects, budget, 0)
        # a frame's dictionary would keep what the program deletes; module frames own theirs
        if frame.f_code.co_flags & 1 and type(frame.f_locals) is dict:
            frame.f_locals.clear()


def _held(
    torch: Any, name: str, value: Any, holder: tuple[str, int, str], seen: set[int], budget: list[int], depth: int
) -> Iterator[tuple[str, tuple[str, int, str], list[Any]]]:
    budget[0] -= 1
    if budget[0] < 0 or depth > 3:
        return
    if isinstance(value, torch.Tensor):
        if value.grad_fn is not None:
            yield name, holder, [value]
        return
    if value is None or isinstance(value, (int, float, str, bytes, type, types.ModuleType, types.FunctionType)):
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (list, tuple, set, frozenset, dict, collections.deque)):
        tensors = [t for t in _flat(torch, value, budget, 0) if t.grad_fn is not None]
        if tensors:
            yield name, holder, tensors
        if len(value) < 200:
            for item in list(value.values() if isinstance(value, dict) else value):
                if not isinstance(item, torch.Tensor) and hasattr(item, "__dict__"):
                    yield from _held(torch, name + "[...]", item, holder, seen, budget, depth + 1)
        return
    content = getattr(value, "__dict__", None)
    if not isinstance(content, dict) or type(value).__module__.split(".")[0] in ("builtins", "typing", "collections"):
        return
    for key, item in list(content.items()):
        if key in ("_buffers", "_modules") and isinstance(item, dict):
            for inner_key, inner in list(item.items()):
                yield from _held(torch, f"{name}.{inner_key}", inner, holder, seen, budget, depth + 1)
        elif key not in ("_parameters", "__dict__") and isinstance(key, str):
            yield from _held(torch, f"{name}.{key}", item, holder, seen, budget, depth + 1)


def _flat(torch: Any, value: Any, budget: list[int], depth: int) -> Iterator[Any]:
    """The tensors in nested containers."""
    for item in list(value.values() if isinstance(value, dict) else value):
        budget[0] -= 1
        if budget[0] < 0 or depth > 3:
            return
        if isinstance(item, torch.Tensor):
            yield item
        elif isinstance(item, (list, tuple, dict, set, collections.deque)):
            yield from _flat(torch, item, budget, depth + 1)


# --------------------------------------------------------------------------------------------------------------------
# The story of an error


class Names(NamedTuple):
    """What a statement reads and what it binds or fills, as written."""

    loads: set[str]
    stores: set[str]
    in_place: bool


_FILLS = {"append", "extend", "add", "insert", "update", "setdefault", "appendleft", "push", "put", "store"}


def names_of(site: Site) -> Names:
    """Reads the statement of a site again from its text."""
    names = Names(set(), set(), False)
    with contextlib.suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(SOURCES.get(site.path, ""))):
            if isinstance(node, ast.stmt) and node.lineno == site.line:
                return _names(node)
    return names


def _names(node: ast.stmt) -> Names:
    loads: set[str] = set()
    stores: set[str] = set()
    in_place = isinstance(node, ast.AugAssign)
    parts: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        if name not in ("body", "orelse", "finalbody", "handlers", "cases"):
            parts.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.AST))
    for part in (inner for outer in parts for inner in ast.walk(outer)):
        if isinstance(part, (ast.Name, ast.Attribute)):
            text = _dotted(part)
            (stores if isinstance(part.ctx, ast.Store) else loads).add(text)
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            stores.add(_dotted(part.value))
            in_place = True
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            if part.func.attr in _FILLS:
                stores.add(_dotted(part.func.value))
            in_place = in_place or (part.func.attr.endswith("_") and not part.func.attr.endswith("__"))
    if isinstance(node, ast.AugAssign):
        loads |= stores
    return Names(loads - {""}, stores - {""}, in_place)


class Story:
    """Works out, after the engine has raised, who built, consumed and carried the graph."""

    def __init__(
        self, recorder: Recorder, call: Call, kind: str, error: BaseException, frame: Any, chain: list[tuple[str, int, str]]
    ) -> None:  # fmt: skip
        self.recorder = recorder
        self.call = call
        self.kind = kind
        self.error = error
        self.frame = frame
        self.chain = chain
        self.inferred = False

    def tell(self) -> dict[str, Any]:
        call, recorder = self.call, self.recorder
        nodes = call.executed()
        earlier = [(other, other.executed()) for other in recorder.kept if other is not call]
        failing, consumer = self._failing(nodes, earlier)
        fresh_from = consumer.seq if consumer is not None else 0
        old = self._entry(failing, nodes, fresh_from, consumer) if failing is not None else None
        entering = nodes.get(old) if old is not None else None
        seqs = {sequence(n): call.thread for n in (failing, old, entering) if n is not None}
        where = recorder.locate(seqs)
        here = recorder.at(call.thread, call.position)
        there = recorder.at(consumer.thread, consumer.position) if consumer is not None else None
        loop = carrying_loop(here, there or where.get(sequence(failing) if failing is not None else -1))
        turn = turn_in(here, loop)
        built = self._built(failing, old, where, loop)
        carried = self._carried(old, entering, where, loop)
        first = carried[0] if carried else None
        built.sort(key=lambda p: not (first and p["path"] == first["path"] and p["line"] == first["line"]))
        return {
            "kind": self.kind,
            **(recorder.place_of_chain(self.chain[0], call, turn) if self.chain else {"path": "", "line": 0, "turn": turn}),
            "message": str(self.error).splitlines()[0],
            "call": call.function,
            "backward": call.n,
            "retain_graph": call.retain,
            "node": failing.name() if failing is not None else None,
            "loops": recorder._loops_of(here),
            "loop": {**recorder.file(LOOPS[loop].path), "line": LOOPS[loop].line} if loop is not None else None,
            "chain": [recorder.place_of_chain(link, call, turn) for link in self.chain[1:8]],
            "built": built,
            "consumed": self._consumed(consumer, there, loop),
            "carried": carried,
            "stepped": self._stepped(failing, loop) if self.kind == "inplace-version" else [],
            "inferred": self.inferred,
            "graph": self._graph(nodes, earlier, failing, loop),
        }  # fmt: skip

    def _failing(self, nodes: dict[Any, Any], earlier: list[tuple[Call, dict[Any, Any]]]) -> tuple[Any, Call | None]:
        """The node that raised: the first, in the engine's order, that was released before or holds a changed tensor."""
        wanted = "released" if self.kind == "second-time" else "modified"
        limit = self.recorder.last_unkept.get(self.call.thread, 0)
        for node in engine_order(self.call, nodes):
            if is_leaf(node):
                continue
            consumer = next((other for other, executed in earlier if node in executed), None)
            if wanted == "modified":
                if saved_state(node) == "modified":
                    return node, self._first_call_after(node)
                continue
            if consumer is None and sequence(node) >= limit:
                continue
            state = saved_state(node)
            always_freed = "CopySlices" in node.name()
            if state == "released" or (consumer is not None and always_freed):
                if consumer is None:
                    self.inferred = True
                    consumer = self._first_call_after(node)
                return node, consumer
        return None, None

    def _first_call_after(self, node: Any) -> Call | None:
        """The first call made once the node existed: the one that walked it, as far as can be inferred."""
        number = sequence(node)
        for other in self.recorder.calls:
            freed = not other.retain or self.kind == "inplace-version"
            if other is not self.call and other.thread == self.call.thread and other.seq > number and freed:
                return other
        return None

    @staticmethod
    def _entry(failing: Any, nodes: dict[Any, Any], fresh_from: int, consumer: Call | None) -> Any:
        """Of the way from the root to the node that raised, the first node made before its graph was consumed."""
        way = []
        node = failing
        while node is not None:
            way.append(node)
            node = nodes[node]
        for node in reversed(way):
            if sequence(node) < fresh_from:
                return node
        return failing

    def _built(
        self, failing: Any, old: Any, where: dict[int, Snapshot], loop: int | None
    ) -> list[dict[str, Any]]:  # fmt: skip
        places: list[dict[str, Any]] = []
        for node in (old, failing):
            snapshot = where.get(sequence(node)) if node is not None else None
            if snapshot is None:
                continue
            for number in reversed(snapshot.sites):
                site = SITES[number]
                if site.kind in (ENTRY, RET):
                    continue
                place = self.recorder.place(site, turn_in(snapshot, loop))
                if place not in places:
                    places.append(place)
        return places[:10]

    def _consumed(
        self, consumer: Call | None, there: Snapshot | None, loop: int | None
    ) -> list[dict[str, Any]]:  # fmt: skip
        if consumer is None:
            return []
        turn = turn_in(there, loop)
        places = [self.recorder.place_of_chain(link, consumer, turn) for link in consumer.chain[:6]]
        for place in places:
            place.update(backward=consumer.n, call=consumer.function, inferred=self.inferred)
        return places

    def _carried(
        self, old: Any, entering: Any, where: dict[int, Snapshot], loop: int | None
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Names that brought the old graph in: bound by a statement that built it, read by one that built on it."""
        rows: list[dict[str, Any]] = []
        before = where.get(sequence(old)) if old is not None else None
        after = where.get(sequence(entering)) if entering is not None else None
        builders = [SITES[n] for n in reversed(before.sites)] if before else []
        readers = [names_of(SITES[n]).loads for n in reversed(after.sites)] if after else []
        if not readers and self.call is not None:
            snapshot = self.recorder.at(self.call.thread, self.call.position)
            readers = [names_of(SITES[n]).loads for n in reversed(snapshot.sites)] if snapshot else []
        for site in builders:
            for stored in sorted(names_of(site).stores):
                tail = stored.rsplit(".", 1)[-1] if "." in stored else None
                if any(stored in loads or (tail and any(n.endswith("." + tail) for n in loads)) for loads in readers):
                    rows.append({"name": stored, **self._spot(site)})
        for name, holder in self._holders(old):
            if all(row["name"] != name for row in rows):
                rows.append({"name": name, **self.recorder.file(holder[0]), "line": holder[1]})
        if not rows:
            for site in builders:
                rows.extend({"name": stored, **self._spot(site)} for stored in sorted(names_of(site).stores))
                if rows:
                    break
        return rows[:8]

    def _spot(self, site: Site) -> dict[str, Any]:
        return {**self.recorder.file(site.path), "line": site.line}

    def _holders(self, node: Any) -> list[tuple[str, tuple[str, int, str]]]:
        """Variables that hold the node's tensor now."""
        frames = user_frames(self.frame)
        link = self.error.__traceback__
        while link is not None:
            if link.tb_frame.f_code.co_filename in SOURCES and link.tb_frame not in frames:
                frames.append(link.tb_frame)
            link = link.tb_next
        if node is None or "torch" not in sys.modules:
            return []
        return [(n, holder) for n, holder, tensors in held_by_frames(frames) if any(t.grad_fn is node for t in tensors)]

    def _stepped(self, failing: Any, loop: int | None) -> list[dict[str, Any]]:
        """What changed the saved tensor: the optimizer steps since, over a leaf of the node; else in-place statements."""
        if failing is None:
            return []
        recorder, rows = self.recorder, []
        leaves = {id(n.variable): n.variable for n in reachable([failing], 400) if is_leaf(n)}
        version = re.search(r"is at version (\d+)", str(self.error))
        shape = re.search(r"\[([\d, ]*)\]\]", str(self.error))
        wanted = sorted(int(n) for n in shape.group(1).split(",") if n.strip()) if shape else None
        near = [
            key for key, leaf in leaves.items()
            if version and leaf._version == int(version.group(1)) and sorted(leaf.shape) == wanted
        ]  # fmt: skip
        for step in recorder.steps:
            optimizer = step["optimizer"]()
            if step["thread"] != self.call.thread or step["seq"] <= sequence(failing) or optimizer is None:
                continue
            mine = {id(p) for group in optimizer.param_groups for p in group["params"]}
            hit = [key for key in near if key in mine]
            if step["chain"] and (hit or (not near and mine & set(leaves))):
                snapshot = recorder.at(step["thread"], step["position"])
                place = recorder.place_of_chain(step["chain"][0], self.call, turn_in(snapshot, loop))
                place["optimizer"] = step["name"]
                place["parameter"] = self._parameter_name(leaves.get(hit[0])) if hit else None
                rows.append(place)
        return rows[:3] or self._written(failing, loop)

    def _parameter_name(self, leaf: Any) -> str | None:
        torch = sys.modules["torch"]
        for frame in user_frames(self.frame):
            for space in (frame.f_locals, frame.f_globals):
                for name, value in list(space.items()):
                    if value is leaf:
                        return str(name)
                    if isinstance(value, torch.nn.Module):
                        for inner, parameter in value.named_parameters():
                            if parameter is leaf:
                                return f"{name}.{inner}"
        return None

    def _written(self, failing: Any, loop: int | None) -> list[dict[str, Any]]:
        """The statements run since the node was made that write in place, the last first."""
        log = self.recorder.logs.get(self.call.thread)
        start = log.index_of(sequence(failing)) if log is not None else None
        if log is None or start is None:
            return []
        stop = self.call.position
        numbers = dict.fromkeys(e >> SEQ_BITS for e in reversed(log.events[start - log.base : stop - log.base]))
        seen: dict[tuple[str, int], Site] = {}
        for number in numbers:
            site = SITES[number]
            if site.kind == STMT:
                seen.setdefault((site.path, site.line), site)
            if len(seen) > 400:
                break
        rows = [site for site in seen.values() if names_of(site).in_place]
        return [self.recorder.place(site, turn_in(self.recorder.at(self.call.thread, stop), loop)) for site in rows[:3]]

    def _graph(
        self, nodes: dict[Any, Any], earlier: list[tuple[Call, dict[Any, Any]]], failing: Any, loop: int | None
    ) -> dict[str, Any]:  # fmt: skip
        """A part of the graph small enough to draw: the way to the node that raised first, then its surroundings."""
        chosen: dict[Any, int] = {}
        node = failing
        while node is not None:
            chosen[node] = 0
            node = nodes.get(node)
        for node in nodes:
            if len(chosen) >= 160:
                break
            chosen.setdefault(node, 0)
        chosen = {node: number for number, node in enumerate(chosen)}
        where = self.recorder.locate({sequence(n): self.call.thread for n in chosen if not is_leaf(n)})
        rows = []
        for node, number in chosen.items():
            row: dict[str, Any] = {"id": number, "op": node.name()}
            snapshot = where.get(sequence(node))
            if snapshot is not None and snapshot.sites:
                row.update(self.recorder.place(SITES[snapshot.sites[-1]], turn_in(snapshot, loop)))
            row["consumed"] = any(node in executed for _, executed in earlier)
            row["raised"] = node is failing
            row["next"] = [chosen[child] for child in next_nodes(node) if child in chosen]
            rows.append(row)
        return {"nodes": rows, "total": len(nodes)}


def carrying_loop(here: Snapshot | None, there: Snapshot | None) -> int | None:
    """The outermost loop whose turn differs between the two: the one across whose border the graph was carried."""
    if here is None or there is None:
        return None
    before = dict(there.loops)
    for loop, turn in here.loops:
        if loop in before and before[loop] != turn:
            return loop
    return None


def turn_in(snapshot: Snapshot | None, loop: int | None) -> int:
    """The turn of this loop, or of the innermost one, or 1 outside any."""
    if snapshot is None or not snapshot.loops:
        return 1
    turn = snapshot.turn_of(loop) if loop is not None else None
    return max(turn if turn is not None else snapshot.loops[-1][1], 1)


# --------------------------------------------------------------------------------------------------------------------
# Running the program


class UserFinder:
    """Gives markers to the user's modules as they are imported, and tells when torch has been."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.watched = {
            "torch": recorder.hook_torch,
            "torch._dynamo.symbolic_convert": recorder.hook_dynamo,
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        if name in self.watched:
            _after_import(spec.loader, self.watched.pop(name))
        elif type(spec.loader) is importlib.machinery.SourceFileLoader and is_user_file(spec.origin or ""):
            spec.loader = UserLoader(spec.loader.name, spec.loader.path)
        return spec


def _after_import(loader: Any, told: Any) -> None:
    execute = loader.exec_module

    def exec_module(module: Any) -> None:
        execute(module)
        told(module)

    loader.exec_module = exec_module


class UserLoader(importlib.machinery.SourceFileLoader):
    """Compiles with markers, and leaves no .pyc behind."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        text = importlib.util.decode_source(self.get_data(path))
        return instrument(text, path)


_OWN = os.path.abspath(__file__)
_LIBRARIES = tuple(
    os.path.realpath(p) + os.sep for key in ("stdlib", "platstdlib") for p in [sysconfig.get_paths().get(key, "")] if p
)


def is_user_file(path: str) -> bool:
    """Everything but the standard library and installed packages."""
    full = os.path.realpath(path)
    parts = full.split(os.sep)
    if "site-packages" in parts or "dist-packages" in parts or full == os.path.realpath(_OWN):
        return False
    return full.endswith(".py") and not full.startswith(_LIBRARIES)


def read_text(path: str) -> str:
    """The text of a Python file in its declared encoding."""
    with open(path, "rb") as handle:
        data = handle.read()
    return importlib.util.decode_source(data)


def new_main(path: str, package: str | None = None, spec: Any = None) -> types.ModuleType:
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=builtins, __package__=package, __spec__=spec, __cached__=None)
    sys.modules["__main__"] = module
    return module


def run_script(path: str) -> None:
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    code = instrument(read_text(path), path)
    exec(code, new_main(path).__dict__)


def run_module(name: str) -> None:
    sys.path[0] = os.getcwd()
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(f"{name}.__main__")
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise Refused(f"no module named {name} with a source file can be run")
    sys.argv[0] = spec.origin
    exec(instrument(read_text(spec.origin), spec.origin), new_main(spec.origin, spec.parent, spec).__dict__)


def run_function(path: str, name: str) -> None:
    """Imports the script under its own name (not `__main__`) and calls one of its functions without arguments."""
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__dict__.update(__file__=path)
    sys.modules[module.__name__] = module
    exec(instrument(read_text(path), path), module.__dict__)
    function = module
    for part in name.split("."):
        function = getattr(function, part, None)  # type: ignore[assignment]
    if not callable(function):
        raise Refused(f"{path} has no function {name}")
    function()


def run_cells(path: str, order: list[int] | None) -> None:
    """Runs a notebook's code cells, from top to bottom or in the given order of cell indices."""
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    try:
        cells = json.loads(read_text(path))["cells"]
    except (ValueError, KeyError, TypeError):
        raise Refused(f"{path} is not a notebook") from None
    code_cells = [i for i, cell in enumerate(cells) if cell.get("cell_type") == "code"]
    wrong = [i for i in order or [] if i not in code_cells]
    if wrong:
        raise Refused(f"{path} has no code cell {wrong[0]}; its code cells are {', '.join(map(str, code_cells))}")
    module = new_main(path)
    module.__dict__["display"] = print
    for index in code_cells if order is None else order:
        source = cells[index].get("source", "")
        text = without_magics("".join(source) if isinstance(source, list) else source)
        name = f"{path}#cell-{index}"
        CELLS[name] = (path, index)
        code = instrument(text, name, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        linecache = importlib.import_module("linecache")
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        if code.co_flags & 0x80:  # a coroutine: the cell awaits at its top level
            importlib.import_module("asyncio").run(eval(code, module.__dict__))
        else:
            exec(code, module.__dict__)


def without_magics(text: str) -> str:
    """The cell without IPython's magics, line for line; a cell magic other than a timer takes the cell with it."""
    lines = text.splitlines()
    if lines and lines[0].startswith("%%") and not re.match(r"%%(time|capture|prun)\b", lines[0]):
        return ""
    out = []
    for line in lines:
        bare = line.lstrip()
        magic = bare.startswith(("%", "!")) or (bare.endswith("?") and "#" not in bare)
        out.append(line[: len(line) - len(bare)] + "pass" if magic else line)
    return "\n".join(out)


def run_torchrun(options: argparse.Namespace, arguments: list[str]) -> None:
    """Hands over to torchrun, with this recorder around the script of every rank."""
    run = importlib.import_module("torch.distributed.run")
    parsed = run.get_args_parser().parse_args(arguments)
    script, rest = parsed.training_script, parsed.training_script_args
    before = arguments[: len(arguments) - len(rest) - 1]
    own = ["--out", options.out, "--turns", str(options.turns), "--seconds", str(options.seconds)]
    if parsed.module:
        before = [a for a in before if a not in ("-m", "--module")]
        rest = ["-m", script, *rest]
    else:
        rest = [script, *rest]
    run.main([*before, _OWN, *own, *rest])


class Refused(Exception):
    """The program cannot be run; the message is one clear line."""


def watch(recorder: Recorder) -> None:
    """Ends the run when its time is over, even while the main thread is inside a long call; keeps the log short."""
    deadline = recorder.started + recorder.seconds
    while recorder.alive:
        left = deadline - time.time() if recorder.seconds else 1.0
        if left <= 0:
            where = ""
            frame = sys._current_frames().get(recorder.main)
            chain, _ = user_chain(frame)
            if chain:
                where = f", at {recorder.file(chain[0][0])['path']}:{chain[0][1]}"
            recorder.stop(Stop("timeout", f"stopped after {recorder.seconds:g} s{where}"))
        time.sleep(min(0.5, max(left, 0.01)))
        for log in list(recorder.logs.values()):
            log.trim()


def parse_arguments(argv: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="recorder.py", allow_abbrev=False)
    parser.add_argument("--out", required=True, help="where the report is written (JSON)")
    parser.add_argument("--turns", type=int, default=50, help="stop after this many backward calls; 0 for no bound")
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after this time; 0 for no bound")
    parser.add_argument("--progress", type=int, default=None, help="a file descriptor told about backward calls")
    parser.add_argument("--call", default=None, help="call this function of the script instead of running it")
    parser.add_argument("--cells", default=None, help="indices of a notebook's cells in the order to run them")
    parser.add_argument("--torchrun", action="store_true", help="the rest are torchrun's arguments")
    parser.add_argument("-m", dest="module", action="store_true", help="the first of the rest names a module")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    options = parser.parse_args(argv)
    rest = options.rest[1:] if options.rest[:1] == ["--"] else options.rest
    if not rest:
        parser.error("nothing to run")
    return options, rest


def run_program(options: argparse.Namespace, rest: list[str]) -> None:
    program = rest[0]
    sys.argv[:] = rest
    if options.module:
        run_module(program)
    elif not os.path.isfile(program):
        raise Refused(f"{program} is not a file")
    elif program.endswith(".ipynb"):
        run_cells(program, [int(c) for c in options.cells.split(",")] if options.cells else None)
    elif options.call:
        run_function(program, options.call)
    else:
        run_script(program)


def without_recorder(error: BaseException) -> None:
    """Takes this file's frames off the head of the traceback."""
    link = error.__traceback__
    while link is not None and link.tb_frame.f_code.co_filename == __file__:
        link = link.tb_next
    error.__traceback__ = link


def main(argv: list[str]) -> int:
    """Runs the program; returns its exit status, or 3 with one line on stderr if it could not be run at all."""
    options, rest = parse_arguments(argv)
    if options.torchrun:
        run_torchrun(options, rest)
        return 0
    rank = os.environ.get("RANK", "")
    out = f"{options.out}.rank{rank}" if rank.isdigit() and "TORCHELASTIC_RUN_ID" in os.environ else options.out
    recorder = Recorder(os.path.abspath(out), options.turns, options.seconds, options.progress, rest)
    if importlib.util.find_spec("torch") is None:
        recorder.write("no-torch", f"torch is not installed for {sys.executable}", 3)
        print(f"secondpass: torch is not installed for {sys.executable}", file=sys.stderr)
        return 3
    recorder.switch_on()
    recorder.watch_threads()
    finder = UserFinder(recorder)
    for name in [name for name in finder.watched if name in sys.modules]:  # the process was forked from a warm one
        finder.watched.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    signal.signal(signal.SIGTERM, lambda *_: recorder.stop(Stop("cancelled", "stopped from outside")))
    leave = os._exit

    def exit_now(code: int) -> None:
        recorder.write("finished", "the program ended itself with os._exit", code)
        leave(code)

    os._exit = exit_now  # type: ignore[assignment]
    threading.Thread(target=watch, args=(recorder,), name="secondpass-watch", daemon=True).start()
    status = 0
    note = ""
    try:
        run_program(options, rest)
    except Refused as refused:
        print(f"secondpass: {refused}", file=sys.stderr)
        recorder.write("refused", str(refused), 3)
        return 3
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        if leaving.code is not None and not isinstance(leaving.code, int):
            print(leaving.code, file=sys.stderr)
    except BaseException as error:
        without_recorder(error)
        recorder.unseen(error)
        status = 130 if isinstance(error, KeyboardInterrupt) else 1
        note = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        sys.excepthook(type(error), error, error.__traceback__)
    recorder.exit_code = status
    wait_for_threads()
    recorder.write("raised" if note else "finished", note, status)
    return status


def wait_for_threads() -> None:
    """Lets the program's own threads end, as the interpreter would, before the report is written."""
    me = threading.current_thread()
    for thread in threading.enumerate():
        if thread is not me and not thread.daemon:
            thread.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
