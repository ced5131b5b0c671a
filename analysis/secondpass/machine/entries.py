"""Entries: functions and methods of a file that its own script never calls.

Each that may walk a graph is run by itself. Parameters with a default keep it, the others are unknown. A class is
instantiated through its `__init__`; a method that a framework calls in a loop is run in that loop. An entry's undecided
branches are turned one at a time, as for the program itself, but fewer of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from secondpass.machine.machine import Exhausted, Machine
from secondpass.machine.record import Record
from secondpass.machine.values import Bound, Class, Function, Lazy, Obj, Raised, Unknown, V

WALKS = re.compile(r"backward|\bgrad\b|training_step|train_step|compute_loss|closure|get_loss")
"""What a function must mention to be worth running by itself (or it must mention one that does)."""
NESTED = 3
"""How deep instances are made for the parameters of constructors of instances."""
TURNED = 4
"""How many undecided branches of one entry are turned."""


def run_entries(m: Machine, unit: Any) -> Iterator[Record]:
    """Run every entry of a file; the program itself has just been run on this machine."""
    owners = {value.node: cls for cls in m.classes for value in cls.attrs.values() if type(value) is Function}
    for node, fn in worth_running(m, unit):
        record = run_entry(m, node, fn, owners.get(node), {})
        yield record
        if any(c.what.startswith("steps") for c in record.cuts):
            return
        if record.raises:
            continue
        for site in list(dict.fromkeys(c.site for c in record.choices))[:TURNED]:
            turned = run_entry(m, node, fn, owners.get(node), {site: "flip"})
            if turned.raises:
                yield turned
                break


def worth_running(m: Machine, unit: Any) -> list[tuple[ast.AST, Function]]:
    """The functions not yet run that may walk a graph: by their text, or by calling one that may."""
    left = [
        (node, fn)
        for node, fn in m.functions.items()
        if node not in m.reached and node.unit is unit and not fn.generator and not fn.name.startswith("__")  # type: ignore[attr-defined]
    ]
    texts = {id(node): _text(node) for node, _ in left}
    walking = {fn.name for node, fn in left if WALKS.search(texts[id(node)])}
    before = -1
    while walking and len(walking) != before:
        before = len(walking)
        mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, walking))})\b")
        walking |= {fn.name for node, fn in left if mention.search(texts[id(node)])}
    return [(node, fn) for node, fn in left if fn.name in walking]


def _text(node: ast.AST) -> str:
    lines = node.unit.table.lines  # type: ignore[attr-defined]
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])  # type: ignore[attr-defined]


def run_entry(m: Machine, node: ast.AST, fn: Function, owner: Class | None, plan: dict[ast.AST, str]) -> Record:
    """One run of one entry, with these choices turned."""
    record = Record(entry=fn.name)
    m.record, m.walks, m.plan = record, record.walks, plan
    m.turns, m.chain, m.grad_mode, m.depth, m.trying = (), None, True, 0, 0
    m.occurrences, m.trail, m.pending = {}, [], {}
    m.active.clear()
    try:
        if owner is None:
            m.call(fn, arguments(m, fn, 0), {}, node)
        else:
            self = instance(m, owner, node)
            if type(self) is not Obj or not m.library.drive(m, self, fn, node):
                m.call(Bound(fn, self), arguments(m, fn, 1), {}, node)
        record.finished = True
    except Raised:
        pass
    except Exhausted:
        m.cut("steps: the entry needs more than the budget", node)
    except RecursionError:
        m.cut("the entry recurses too deeply", node)
    return record


def instance(m: Machine, cls: Class, site: ast.AST) -> V:
    """An instance of a class whose arguments are not known."""
    init = cls.lookup("__init__")
    return m.call(cls, arguments(m, init, 1) if type(init) is Function else [], {}, site)


def arguments(m: Machine, fn: Function, skip: int) -> list[V]:
    """Unknown values for the parameters that have no default, the first `skip` left out (`self`)."""
    names = fn.params.names
    needed = names[skip : len(names) - len(fn.defaults)]
    return [_argument(m, fn, name) for name in needed]


def _argument(m: Machine, fn: Function, name: str) -> V:
    """A parameter by its annotation: a class in sight is an instance, a tensor is data, anything else is unknown."""
    node = fn.node.args
    for arg in (*node.posonlyargs, *node.args):
        if arg.arg == name and arg.annotation is not None:
            text = ast.unparse(arg.annotation).strip("'\"")
            found = fn.module.get(text)
            if type(found) is Lazy:
                found = found.settle(fn.module, text)
            if type(found) is Class and m.depth < NESTED:
                m.depth += 1
                try:
                    return instance(m, found, fn.node)
                finally:
                    m.depth -= 1
            if text in ("int", "float", "bool", "str"):
                return Unknown("number", name)
            if text in ("Tensor", "torch.Tensor", "np.ndarray", "numpy.ndarray"):
                return Unknown("data", name)
    return Unknown("opaque", name)
