"""The text that detaches a value of a given shape, and the statements that put it back where it was."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from .probe import Shape

PLAIN = re.compile(r"""[\w.]+(\[[\w"'.]+\]|\.\w+)*""")
"""An expression to which `.detach()` can be added as it is."""


def detached(expression: str, shape: Shape, *, variables: tuple[str, ...] = ("s", "layer", "group")) -> str | None:
    """An expression for `expression` without its history; None if its shape cannot be written as one."""
    if shape.was_none:
        inner = detached(expression, replace(shape, was_none=False), variables=variables)
        if inner is None:
            return None
        return f"{f'({inner})' if ' if ' in inner else inner} if {expression} is not None else None"
    if shape.kind == "tensor":
        return f"{_operand(expression)}.detach()"
    if shape.kind == "unknown":
        each = f"tuple({variables[0]}.detach() for {variables[0]} in {expression})"
        return f"{each} if isinstance({expression}, tuple) else {_operand(expression)}.detach()"
    if shape.kind == "fields":
        parts = [
            (name, detached(f"{expression}.{name}", item))
            for name, item in zip(shape.keys, shape.items, strict=True)
            if item.history
        ]
        if any(text is None for _, text in parts):
            return None
        return f"{expression}._replace({', '.join(f'{name}={text}' for name, text in parts)})"
    if shape.kind in ("tuple", "list") and shape.cls in ("tuple", "list", ""):
        return _sequence(expression, shape, variables)
    if shape.kind == "dict":
        return _dict(expression, shape, variables)
    return None


def _sequence(expression: str, shape: Shape, variables: tuple[str, ...]) -> str | None:
    opening, closing = ("tuple(", ")") if shape.kind == "tuple" else ("[", "]")
    if _alike(shape.items):
        name, *rest = (
            variables[1:] if shape.items[0].kind in ("tuple", "list", "dict") and len(variables) > 1 else variables
        )
        inner = detached(name, shape.items[0], variables=(variables[0], *rest))
        return None if inner is None else f"{opening}{inner} for {name} in {expression}{closing}"
    parts = []
    for index, item in enumerate(shape.items):
        text = (
            detached(f"{expression}[{index}]", item, variables=variables) if item.history else f"{expression}[{index}]"
        )
        if text is None:
            return None
        parts.append(text)
    if shape.kind == "list":
        return f"[{', '.join(parts)}]"
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _dict(expression: str, shape: Shape, variables: tuple[str, ...]) -> str | None:
    if _alike(shape.items):
        inner = detached("v", shape.items[0], variables=variables)
        return None if inner is None else f"{{k: {inner} for k, v in {expression}.items()}}"
    parts = []
    for key, item in zip(shape.keys, shape.items, strict=True):
        if item.history:
            text = detached(f"{expression}[{_written(key)}]", item, variables=variables)
            if text is None or not isinstance(key, (str, int)):
                return None
            parts.append(f"{_written(key)}: {text}")
    return f"{{**{expression}, {', '.join(parts)}}}"


def _alike(items: list[Shape]) -> bool:
    """Whether one expression serves every element."""
    if not items or any(item.was_none for item in items):
        return False
    first = items[0]
    if any(item.kind != first.kind or item.cls != first.cls for item in items):
        return False
    if first.kind in ("tensor", "unknown"):
        return True
    if first.kind in ("tuple", "list"):
        return all(len(item.items) == len(first.items) for item in items) and (
            all(_alike(item.items) for item in items) or len({_key(item) for item in items}) == 1
        )
    return first.kind == "dict" and all(_alike(item.items) for item in items)


def _key(shape: Shape) -> tuple[object, ...]:
    return (shape.kind, shape.history, *(_key(item) for item in shape.items))


def _operand(expression: str) -> str:
    return expression if PLAIN.fullmatch(expression) else f"({expression})"


def _written(key: object) -> str:
    """A key as source text."""
    return json.dumps(key, ensure_ascii=False) if isinstance(key, str) else repr(key)


def statements(expression: str, shape: Shape, unit: str = "    ") -> list[str] | None:
    """Statements that detach what `expression` names, in place; None if it cannot be said."""
    if shape.kind == "modules":
        return _in_modules(expression, shape, unit)
    if shape.kind == "object":
        found: list[str] = []
        for name, item in zip(shape.keys, shape.items, strict=True):
            if item.stale:
                inner = statements(f"{expression}.{name}", item, unit) if str(name).isidentifier() else None
                if inner is None:
                    return None
                found += inner
        return found or None
    text = detached(expression, shape)
    return None if text is None else [f"{expression} = {text}"]


def _in_modules(expression: str, shape: Shape, unit: str) -> list[str] | None:
    """A loop over a network's modules that cuts what those of one class keep."""
    lines = [f"for module in {expression}.modules():"]
    for test in dict.fromkeys(test for test, _ in shape.keys):
        lines.append(f"{unit}if {test}:")
        for (owner, attribute), item in zip(shape.keys, shape.items, strict=True):
            if owner == test:
                text = detached(f"module.{attribute}", item)
                if text is None:
                    return None
                lines.append(f"{unit}{unit}module.{attribute} = {text}")
    return lines
