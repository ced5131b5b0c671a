"""Modules whose loop is elsewhere: a class that keeps state from call to call, in a file that never makes or calls it.

Such a module is an entry (entries.py): it is trained for a few iterations, one call and one walk an iteration, as a
loop in another file would. Whoever holds it may well start its state anew in each iteration: that is asked of the
project.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from secondpass.machine.values import Class, Function
from secondpass.source.attributes import keeps_state, stored

if TYPE_CHECKING:
    from secondpass.machine.machine import Modules

SIZE = re.compile(r"size|shape|len\(|batch")
"""Conditions that are about the form of the data: the loop elsewhere may well never meet them."""
RESETS = re.compile(r"reset|detach|clear|forget|truncate|repackage|init_\w|initiali[sz]e_|zero_\w|new_\w")
"""Names of methods that start a state anew or cut it."""


def stateful_classes(classes: Sequence[Class], modules: Modules | None, unit: Any) -> Iterator[Class]:
    """The classes of a file that may keep state for a loop that is in no file in sight."""
    text: str = unit.text
    mine = [cls for cls in classes if type(cls.attrs.get("forward")) is Function and _unit(cls) is unit]
    if not mine or not keeps_state(text):
        return
    for cls in mine:
        if cls.native_base() is None:
            continue
        own = _text(unit, cls)
        if not keeps_state(own) or _made_here(text, unit.tree, cls.name):  # the text of one class is read sooner
            continue
        if not ended_elsewhere(modules, cls):
            yield cls


def _unit(cls: Class) -> Any:
    return getattr(cls.node, "unit", None)


def may_turn(node: ast.AST, site: ast.AST) -> bool:
    """Whether an undecided branch of an entry is turned: of a class only those on the form of its data."""
    return type(node) is not ast.ClassDef or SIZE.search(site.unit.segment(site)) is not None  # type: ignore[attr-defined]


def _made_here(text: str, tree: ast.Module, name: str) -> bool:
    """Whether the file makes one, derives from it or takes one as an argument; what a docstring says is no code."""
    if text.count(name) < 2:
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            named = [node.func]
        elif isinstance(node, ast.ClassDef):
            named = node.bases
        elif isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            named = [part for part in ast.walk(node.annotation) if isinstance(part, ast.expr)]
        else:
            continue
        if any(name in (getattr(n, "id", ""), getattr(n, "attr", ""), getattr(n, "value", "")) for n in named):
            return True
    return False


def _text(unit: Any, cls: Class) -> str:
    node = cls.node
    assert node is not None
    return "\n".join(unit.table.lines[node.lineno - 1 : node.end_lineno])


def ended_elsewhere(modules: Modules | None, cls: Class) -> bool:
    """Whether another file of the project makes such an object where it trains, or ends what it keeps in each
    iteration."""
    if modules is None or cls.node is None:
        return False
    names = {name for own in cls.mro for name, value in own.attrs.items() if type(value) is Function}
    methods = {name for name in names if RESETS.search(name)}
    return modules.starts_anew(cls.name, methods, set(stored(_text(_unit(cls), cls))))
