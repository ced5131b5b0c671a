"""Which class in sight a parameter is: by its annotation, by its name, by what is done with it.

`def practise(act, sessions)` calls `act`, `act.rewind()` and `act.loosen()`: if one class of the file has all of that,
and no other, then `act` is one of its objects.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from secondpass.machine.values import Class, Function, Lazy, V

Uses: TypeAlias = tuple[set[str], list[ast.Call]]
MODEL = re.compile(r"^(?:\w*(?:model|network)|net)$", re.I)
"""What a module is called that is the only one of its file."""


class Fitting:
    """The classes in sight, and which parameters fit them."""

    def __init__(self, classes: Sequence[Class]) -> None:
        self._classes = [cls for cls in classes if cls.node is not None]
        self._own: dict[Class, set[str]] = {}
        self._uses: dict[ast.AST, dict[str, Uses]] = {}

    def of(self, fn: Function, name: str) -> Class | None:
        """The one class that a parameter fits; None if there is none or more than one."""
        if not self._classes or name in ("self", "cls"):
            return None
        used, calls = self._used(fn, name)
        plain = name.replace("_", "").lower()
        named = [cls for cls in self._classes if cls.name.lower() == plain]
        if len(named) == 1:
            return named[0] if not (used or calls) or self._takes(named[0], used, calls) else None
        if not (used or calls):
            return None
        found = [cls for cls in self._classes if self._takes(cls, used, calls) and _tells(cls, used)]
        if not found and calls and MODEL.match(name):
            found = [cls for cls in _tops(self._classes) if self._takes(cls, used, calls)]
        # A class and one that derives from it both fit: nobody knows which.
        return found[0] if len(found) == 1 else None

    def _used(self, fn: Function, name: str) -> Uses:
        """The attributes of a parameter that a function uses, and its calls of the parameter itself; for what
        `__init__` keeps on the object, the uses of that in the class."""
        kept = _kept(fn, name)
        whole = fn.owner.node if kept and fn.owner is not None and fn.owner.node is not None else fn.node
        if whole not in self._uses:
            self._uses[whole] = _all_uses(whole)
        used, calls = self._uses[whole].get(f"self.{kept}" if kept else name, (set(), []))
        return used, calls

    def _takes(self, cls: Class, used: set[str], calls: Sequence[ast.Call]) -> bool:
        """Whether an object of a class has these attributes and can be called so."""
        native = cls.native_base()
        if cls not in self._own:
            self._own[cls] = _own(cls)
        known = self._own[cls]
        if not all(name in known or (native is not None and native.has_method(name)) for name in used):
            return False
        if not calls:
            return True
        body = cls.lookup("__call__")
        body = body if type(body) is Function else cls.lookup("forward")
        return type(body) is Function and all(_binds(body, call) for call in calls)


def imported(fn: Function, name: str) -> V:
    """A class of another file that the parameter is called after, as the file's names have it."""
    plain = name.replace("_", "").lower()
    for key, value in list(fn.module.items()):
        if type(value) in (Lazy, Class) and key.lower() == plain and key[:1].isupper():
            return value.settle(fn.module, key) if type(value) is Lazy else value
    return None


def _all_uses(node: ast.AST) -> dict[str, Uses]:
    """Of each name, and of each attribute of `self`: the attributes that are read of it, and its calls."""
    found: dict[str, Uses] = {}
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and (name := _name(one.value)):
            found.setdefault(name, (set(), []))[0].add(one.attr)
        elif isinstance(one, ast.Call) and (name := _name(one.func)):
            found.setdefault(name, (set(), []))[1].append(one)
    return found


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return ""


def _kept(fn: Function, name: str) -> str:
    """The attribute in which `__init__` keeps a parameter; empty if it does not."""
    if fn.name != "__init__":
        return ""
    for one in ast.walk(fn.node):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Tuple) and isinstance(one.value, ast.Tuple):
            pairs = list(zip(one.targets[0].elts, one.value.elts, strict=False))
        elif isinstance(one, ast.Assign):
            pairs = [(one.targets[0], one.value)]
        else:
            continue
        for target, value in pairs:
            if isinstance(value, ast.Name) and value.id == name and isinstance(target, ast.Attribute):
                return target.attr
    return ""


def _binds(fn: Function, call: ast.Call) -> bool:
    """Whether a call's arguments are those of a method."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(k.arg is None for k in call.keywords):
        return True
    names = fn.params.names[1:]
    given = len(call.args) + len(call.keywords)
    fits = fn.params.vararg is not None or len(call.args) <= len(names)
    known = {*names, *fn.params.keyword_only}
    keywords = fn.params.kwarg is not None or all(k.arg in known for k in call.keywords)
    return fits and keywords and given >= len(names) - len(fn.defaults)


def _tells(cls: Class, used: set[str]) -> bool:
    """Whether something that is used is the class's own."""
    native = cls.native_base()
    return any(not (native is not None and native.has_method(name)) for name in used)


def _own(cls: Class) -> set[str]:
    """The names of what a class defines and of what its methods assign."""
    found: set[str] = {"training"}
    for one in cls.mro:
        found |= {key for key in one.attrs if not key.startswith("@")}
        if one.node is not None:
            unit: Any = one.node.unit  # type: ignore[attr-defined]
            text = "\n".join(unit.table.lines[one.node.lineno - 1 : one.node.end_lineno])
            found |= set(re.findall(r"\bself\.(\w+)(?:\s*,\s*[\w.]+)*\s*(?::[^=\n]+)?=(?!=)", text))
            found |= set(re.findall(r"register_(?:buffer|parameter)\([\"'](\w+)", text))
            found |= {name for names in re.findall(r"^\s*(self\.\w+(?:\s*,\s*self\.\w+)+)\s*=", text, re.M)
                      for name in re.findall(r"self\.(\w+)", names)}  # fmt: skip
    return found


def _tops(classes: Sequence[Class]) -> list[Class]:
    """The modules of a file that no other class of it makes or derives from."""
    found = []
    for cls in classes:
        if type(cls.lookup("forward")) is not Function or cls.native_base() is None:
            continue
        others = [one for one in classes if one is not cls]
        if any(cls in one.mro for one in others):
            continue
        made = re.compile(rf"\b{cls.name}\(")
        if not any(made.search(_text(one)) for one in others):
            found.append(cls)
    return found


def _text(cls: Class) -> str:
    node: Any = cls.node
    return "\n".join(node.unit.table.lines[node.lineno - 1 : node.end_lineno])
