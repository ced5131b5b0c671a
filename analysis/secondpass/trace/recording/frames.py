"""What the user's frames tell: the lines that lead to a call, and the variables that hold a history."""

from __future__ import annotations

import collections
import os
import sys
import types
from collections.abc import Iterator
from typing import Any

from .graph import saved_state
from .markers import SOURCES

COMPILER = (os.sep + "_functorch" + os.sep, os.sep + "_dynamo" + os.sep)
"""torch.compile differentiates while it traces, and torch.func what is its own: those calls are not the program's."""

USER, LIBRARY, COMPILING = range(3)
_kinds: dict[types.CodeType, int] = {}


def _kind(code: types.CodeType) -> int:
    path = code.co_filename
    kind = USER if path in SOURCES else COMPILING if any(part in path for part in COMPILER) else LIBRARY
    return _kinds.setdefault(code, kind)


def innermost(frame: Any) -> tuple[tuple[str, int, str] | None, bool]:
    """The user's line nearest to a frame (path, line, function), and whether the compiler stands in between."""
    compiling = False
    while frame is not None:
        code = frame.f_code
        kind = _kinds.get(code)
        if kind is None:
            kind = _kind(code)
        if kind == USER:
            return (code.co_filename, frame.f_lineno, code.co_name), compiling
        compiling = compiling or kind == COMPILING
        frame = frame.f_back
    return None, compiling


def user_chain(frame: Any) -> list[tuple[str, int, str]]:
    """The user's lines that lead to a frame, innermost first."""
    return [(f.f_code.co_filename, f.f_lineno, f.f_code.co_name) for f in user_frames(frame)]


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


def nodes_read(error: BaseException) -> list[Any]:
    """The autograd node among the locals of the frame that raised whose saved tensors are gone."""
    frame: types.FrameType | None = None
    link = error.__traceback__
    while link is not None:
        frame, link = link.tb_frame, link.tb_next
    values = [] if frame is None else [getattr(v, "grad_fn", None) or v for v in frame.f_locals.values()]
    nodes = [v for v in values if hasattr(v, "next_functions") and hasattr(v, "name")]
    return [node for node in nodes if saved_state(node) == "released"][:1]


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
        for space in (local_variables(frame), frame.f_globals):
            if id(space) in spaces:
                continue
            spaces[id(space)] = space
            inner = holder if space is not frame.f_globals else (holder[0], holder[1], "<module>")
            for name, value in list(space.items()):
                if name.startswith("__"):
                    continue
                yield from _held(torch, name, value, inner, seen_objects, budget, 0)
        release(frame)


SHARES_LOCALS = {"locals", "vars", "eval", "exec"}


def local_variables(frame: Any) -> dict[str, Any]:
    """The variables of a frame. Before Python 3.13 a function shares one dictionary of them with whoever calls
    `locals()`; a function that may have done so is not looked into, for that would change what it holds."""
    code = frame.f_code
    if sys.version_info < (3, 13) and code.co_flags & 1 and SHARES_LOCALS.intersection(code.co_names):
        return {}
    return frame.f_locals  # type: ignore[no-any-return]


def release(frame: Any) -> None:
    """Empties the dictionary that looking has made: it would keep alive what the program deletes."""
    if sys.version_info < (3, 13) and frame.f_code.co_flags & 1 and local_variables(frame):
        frame.f_locals.clear()


def _held(
    torch: Any, name: str, value: Any, holder: tuple[str, int, str], seen: set[int], budget: list[int], depth: int
) -> Iterator[tuple[str, tuple[str, int, str], list[Any]]]:
    budget[0] -= 1
    if budget[0] < 0 or depth > 5:
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
            for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
                if not isinstance(item, torch.Tensor) and hasattr(item, "__dict__"):
                    yield from _held(torch, f"{name}[{key!r:.40}]", item, holder, seen, budget, depth + 1)
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
