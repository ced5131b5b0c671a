"""Where the imports of a program are looked for: its own folder, those above up to the project's root, `src` beside
them, and what the program puts on `sys.path` itself."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
"""What marks the top folder of a project."""
DEEP = 8
"""Most folders above a file that are looked at."""
PUTS = re.compile(r"^[ \t]*sys\.path\.(?:insert\([^,\n]*,[ \t]*|append\()(.*)\)[ \t]*(?:#.*)?$", re.M)
"""`sys.path.insert(0, ...)` and `sys.path.append(...)` on one line."""


def folders(path: Path) -> list[str]:
    """The folders above a file up to the project's root, each with its `src`, in the form in which the file was named.

    The root is the repository's; an example in it may have requirements of its own. Without a repository around, it is
    the first folder that looks like a project's.
    """
    above: list[str] = []
    marked: list[int] = []
    folder = os.path.dirname(str(path))
    for _ in range(DEEP):
        above.append(folder)
        here = folder or "."
        if any(os.path.exists(os.path.join(here, mark)) for mark in MARKS):
            marked.append(len(above))
        if os.path.exists(os.path.join(here, ".git")):
            marked = [len(above)]
            break
        outer = os.path.dirname(folder) if folder else ""
        if outer == folder:
            break
        folder = outer
    found = above[: marked[0]] if marked else above
    if marked:
        return [*found, os.path.join(found[-1], "src")]
    return [*found, *(src for one in found[:2] if os.path.isdir(src := os.path.join(one, "src")))]


def put_on_path(text: str, path: str) -> list[str]:
    """The folders that a file puts on `sys.path`, as far as constants and its own place say which."""
    found = []
    for (written,) in (match.groups() for match in PUTS.finditer(text)):
        try:
            folder = _folder(ast.parse(written.strip(), mode="eval").body, path)
        except (SyntaxError, ValueError, RecursionError):
            continue
        if folder is not None:
            found.append(os.path.normpath(folder))
    return found


def _folder(node: ast.expr, path: str) -> str | None:
    """The value of an expression made of constants, `__file__`, `os.path` and `pathlib`."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return path if node.id == "__file__" else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Add)):
        left, right = _folder(node.left, path), _folder(node.right, path)
        if left is None or right is None:
            return None
        return left + right if isinstance(node.op, ast.Add) else os.path.join(left, right)
    if isinstance(node, ast.Attribute) and node.attr == "parent":
        inner = _folder(node.value, path)
        return None if inner is None else os.path.dirname(inner)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
        inner = _folder(node.value.value, path)
        levels = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if inner is None or not isinstance(levels, int) or not 0 <= levels < DEEP:
            return None
        for _ in range(levels + 1):
            inner = os.path.dirname(inner)
        return inner
    return _called(node, path) if isinstance(node, ast.Call) else None


def _called(node: ast.Call, path: str) -> str | None:
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    if name in ("resolve", "absolute", "as_posix") and isinstance(func, ast.Attribute):
        return _folder(func.value, path)
    if name == "getcwd":
        return os.path.dirname(path)
    parts = [_folder(arg, path) for arg in node.args]
    if not parts or any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if name in ("join", "Path", "PurePath", "joinpath"):
        return os.path.join(*known)
    if name == "dirname":
        return os.path.dirname(known[0])
    return known[0] if name in ("abspath", "realpath", "str", "normpath", "expanduser", "fspath") else None
