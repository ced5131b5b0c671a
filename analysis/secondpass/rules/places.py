"""Where things stand in the text of a file: spans, short texts, the function, class and statement around a place.

Rules ask here instead of walking syntax. Everything works on places (pieces of syntax that the machine recorded) and
on the text of their file.
"""

from __future__ import annotations

import ast
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from secondpass.findings import Span
from secondpass.source.outline import Function

if TYPE_CHECKING:
    from secondpass.source.source import Source

LONG = 60
"""Code longer than this is shortened in a message, in characters."""

OPPOSITES = ((ast.NotIn, " not in ", " in "), (ast.IsNot, " is not ", " is "), (ast.NotEq, " != ", " == "))
"""Negated comparisons, as written, and what they deny."""

ENTRIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""What stands for the call of an entry, which is called from nowhere: its definition."""
BRACKETS = {"(": ")", "[": "]", "{": "}"}


def unit_of(site: ast.AST) -> Source:
    """The file a piece of syntax stands in."""
    return site.unit  # type: ignore[attr-defined,no-any-return]


def span_of(site: ast.AST) -> Span:
    return unit_of(site).span(site)


def line_of(site: ast.AST, seen_from: ast.AST | None = None) -> str:
    """Where it stands, for a sentence: `line 12`, `line 12 of utils.py` if that is another file than `seen_from`'s, or
    `cell 2, line 3` in a notebook (cells counted from 1)."""
    span = span_of(site)
    line = span.line + surface_line(site) - site.lineno  # type: ignore[attr-defined]
    if span.cell is not None:
        return f"cell {span.cell + 1}, line {line}"
    other = seen_from is not None and unit_of(seen_from) is not unit_of(site)
    return f"line {line} of {PurePath(span.path).name}" if other else f"line {line}"


def text_of(site: ast.AST, most: int = LONG) -> str:
    """A piece of code as written, on one line and not too long."""
    return shortened(" ".join(unit_of(site).segment(site).split()), most)


def shortened(text: str, most: int = LONG) -> str:
    """Code with what stands in its longest brackets left out until it is no longer than `most`; brackets stay even."""
    while len(text) > most:
        groups = [g for g in _groups(text) if g[1] - g[0] > 4 and text[g[0] + 1 : g[1]] != "..."]
        if not groups:
            return text[: most - 3] + "..."
        start, end = max(groups, key=lambda g: g[1] - g[0])
        inside = text[start + 1 : end]
        spare = most - (len(text) - len(inside)) - len(", ...")
        kept = _leading(inside, spare)
        text = f"{text[: start + 1]}{kept + ', ' if kept else ''}...{text[end:]}"
    return text


def _groups(text: str) -> list[tuple[int, int]]:
    """The outermost pairs of brackets, by their places; brackets in strings do not count."""
    found, depth, start, quote = [], 0, 0, ""
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in BRACKETS:
            start = start if depth else i
            depth += 1
        elif c in BRACKETS.values():
            depth -= 1
            if depth == 0:
                found.append((start, i))
    return found


def _leading(arguments: str, most: int) -> str:
    """As many whole arguments as fit, from the first on."""
    inner = _groups(arguments)
    commas = [
        i
        for i, c in enumerate(arguments)
        if c == "," and i <= most and not any(start < i < end for start, end in inner)
    ]
    return arguments[: commas[-1]] if commas else ""


def surface_line(site: ast.AST) -> int:
    """The line PyTorch's traceback shows for a call: that of `.backward(` in a chain over several lines."""
    if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute):
        return site.func.end_lineno or site.lineno
    return site.lineno  # type: ignore[attr-defined,no-any-return]


def receiver_text(site: ast.AST) -> str:
    """What a method is called on (`losses` of `losses.append(x)`), or the place itself."""
    if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute):
        return text_of(site.func.value)
    return text_of(site)


def base_text(site: ast.AST) -> str:
    """The tensor that a subscript names a part of: `self.feats` of `self.feats[a:b]`."""
    while isinstance(site, ast.Subscript):
        site, site_unit = site.value, unit_of(site)
        site.unit = site_unit  # type: ignore[attr-defined]
    return text_of(site)


def base_name(text: str) -> str:
    """The one list behind what a loop goes over: `losses` of `reversed(losses)`; empty if it is not so simple."""
    found = re.fullmatch(r"(?:(?:reversed|list|iter|tuple)\()?([A-Za-z_][\w.]*)\)?", text)
    return found[1] if found else ""


def opposite(condition: ast.AST) -> str:
    """A negated comparison said the other way round (`key in cache` for `key not in cache`); empty for any other."""
    if not isinstance(condition, ast.Compare) or len(condition.ops) != 1:
        return ""
    text = text_of(condition)
    for kind, written, other in OPPOSITES:
        if isinstance(condition.ops[0], kind) and text.count(written) == 1:
            return text.replace(written, other)
    return ""


def called_with(site: ast.AST, name: str) -> bool:
    """Whether a call passes a keyword of this name."""
    return isinstance(site, ast.Call) and any(k.arg == name for k in site.keywords)


def header_of(loop: ast.AST | None) -> Span | None:
    """The first line of a loop, up to its colon."""
    if not isinstance(loop, (ast.For, ast.While, ast.AsyncFor)):
        return None
    end = loop.test if isinstance(loop, ast.While) else loop.iter
    head, tail = span_of(loop), unit_of(loop).span(end)
    return Span(head.path, head.line, head.column, tail.end_line, tail.end_column + 1, head.cell)


def function_of(site: ast.AST) -> Function | None:
    """The innermost function a place lies in; None at the top of the file."""
    if isinstance(site, ast.comprehension):
        site = site.iter
    if not hasattr(site, "unit"):
        return None
    return unit_of(site).outline.function(site)


def statement_of(site: ast.AST) -> ast.stmt | None:
    return unit_of(site).outline.statement(site)


def same_statement(one: ast.AST, other: ast.AST) -> bool:
    return unit_of(one) is unit_of(other) and statement_of(one) is statement_of(other)


def deed_of(site: ast.AST) -> str:
    """What changes a tensor, as written: a call, or the statement around a bare name (`p.data -= step`)."""
    statement = None if isinstance(site, ast.Call) else statement_of(site)
    return text_of(statement or site)


def alone(site: ast.AST) -> bool:
    """Whether an expression is a statement by itself: its value is dropped."""
    statement = statement_of(site)
    return isinstance(statement, ast.Expr) and statement.value is site


def bound_by(site: ast.AST) -> str:
    """What the statement around a value is assigned to, as written (`state` of `state = state.detach()`)."""
    statement = statement_of(site)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    found = re.match(r"([\w.\[\]'\", ]+?)\s*=[^=]", unit_of(site).segment(statement))
    return " ".join(found[1].split()) if found else ""


def mentions(site: ast.AST, name: str) -> bool:
    """Whether the code at a place reads this very name, attribute or element."""
    text = " ".join(unit_of(site).segment(site).split())
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w(])", text) is not None


def resets(site: ast.AST, attribute: str) -> str:
    """A method of the class around a place that binds `self.x` anew without building on it (`reset`, `init_hidden`)."""
    file = unit_of(site).outline
    owner = file.owner(site)
    if owner is None or not attribute.startswith("self."):
        return ""
    name = re.escape(attribute.partition("[")[0])
    here = file.function(site)
    for method in file.methods(owner):
        if method is here or method.name in ("__init__", "forward", "__call__") or method.decorator_list:
            continue
        lines = unit_of(site).table.lines[method.lineno - 1 : method.end_lineno]
        for line in lines:
            found = re.match(rf"\s*(?:self\.[\w., ]+=\s*)?.*{name}\b[\w., ]*=(?!=)\s*(.+)", line)
            if found and attribute not in found[1]:
                return method.name
    return ""


def binds_again(loop: ast.AST, name: str, but: ast.AST) -> list[ast.stmt]:
    """Statements of a loop, other than that of `but`, that look like a cut or reset of `name`."""
    if not isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
        return []
    unit, own = unit_of(loop), statement_of(but)
    start = re.compile(rf"\s*{re.escape(name)}\s*=(?!=)\s*(.*)", re.S)
    found: list[ast.stmt] = []
    for statement in unit.outline.within(loop):
        if not isinstance(statement, ast.Assign) or statement is own:
            continue
        match = start.match(unit.segment(statement))
        if match and re.search(rf"\bdetach\b|\bzeros|\bNone\b|\w\({re.escape(name)}\)$", match[1].strip()):
            found.append(statement)
    return found


def read_behind(loop: ast.AST, name: ast.AST) -> bool:
    """Whether the function around a loop (or the file) reads a name behind that loop."""
    unit, function = unit_of(loop), function_of(loop)
    last = function.end_lineno if function is not None else None
    lines = unit.table.lines[loop.end_lineno : last]  # type: ignore[attr-defined]
    wanted = re.compile(rf"(?<![\w.]){re.escape(text_of(name))}\b(?!\s*=[^=])")
    return any(wanted.search(line) for line in lines)
